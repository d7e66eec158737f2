//! With the feature `hwloc`: is the C library there? Without it the build would end in the linker,
//! whose message names no package.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "hwloc")]
    hwloc();
}

#[cfg(feature = "hwloc")]
fn hwloc() {
    println!("cargo::rerun-if-env-changed=DOCS_RS");
    // Documentation is built without linking.
    if std::env::var_os("DOCS_RS").is_some() {
        return;
    }
    match pkg_config::Config::new().atleast_version("2.0").cargo_metadata(false).probe("hwloc") {
        // Who turned pkg-config off says by other means where the library is.
        Ok(_) | Err(pkg_config::Error::EnvNoPkgConfig(_)) => {}
        Err(error) => {
            let reason = error.to_string();
            let reason = reason.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            println!(
                "cargo::error=the feature `hwloc` needs the C library hwloc 2, which pkg-config does \
                 not find: on Debian or Ubuntu `apt-get install libhwloc-dev pkg-config`; or build \
                 without the feature, which nothing needs ({reason})"
            );
        }
    }
}
