//! How much CPU time the control groups leave this process, on Linux. In come the files of either
//! version, out goes the least quota of its group and those around it, in CPUs.

use crate::files::Root;

/// The quota of this process, if there is one.
pub(crate) fn quota(root: &Root) -> Option<f64> {
    let groups = root.text("/proc/self/cgroup")?;
    let mounts = root.text("/proc/self/mountinfo")?;
    let quotas = mounts.lines().filter_map(mount).filter_map(|mount| {
        let group = groups.lines().find_map(|line| mount.group(line))?;
        mount.quota(root, group)
    });
    quotas.reduce(f64::min)
}

/// Where a hierarchy that limits CPU time is mounted.
struct Mount<'t> {
    second: bool,
    /// The group that is seen at `point`.
    top: &'t str,
    point: &'t str,
}

/// Reads a line such as
/// `7 5 0:6 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:7 - cgroup cgroup rw,cpu,cpuacct`.
fn mount(line: &str) -> Option<Mount<'_>> {
    let (place, kind) = line.split_once(" - ")?;
    let mut place = place.split(' ').skip(3);
    let (top, point) = (place.next()?, place.next()?);
    let mut kind = kind.split(' ');
    let second = match kind.next()? {
        "cgroup2" => true,
        "cgroup" => {
            kind.nth(1)?.split(',').find(|&option| option == "cpu")?;
            false
        }
        _ => return None,
    };
    Some(Mount { second, top, point })
}

impl Mount<'_> {
    /// The group of this hierarchy that a line such as `4:cpu,cpuacct:/user` or `0::/user` names.
    fn group<'l>(&self, line: &'l str) -> Option<&'l str> {
        let (controllers, group) = line.split_once(':')?.1.split_once(':')?;
        let mine = if self.second {
            controllers.is_empty()
        } else {
            controllers.split(',').any(|controller| controller == "cpu")
        };
        mine.then_some(group)
    }

    /// The least quota of `group` and of those that it is in, as far as they can be seen.
    fn quota(&self, root: &Root, group: &str) -> Option<f64> {
        // A group outside of what is mounted is seen as the mounted one.
        let inside = group.strip_prefix(self.top.trim_end_matches('/')).unwrap_or("");
        let inside = if inside.starts_with('/') && !inside.contains("/..") { inside } else { "" };
        let mut path = format!("{}{}", self.point, inside.trim_end_matches('/'));
        let mut least: Option<f64> = None;
        loop {
            if let Some(quota) = self.one(root, &path) {
                least = Some(least.map_or(quota, |least| least.min(quota)));
            }
            let parent = path.rfind('/').filter(|&end| end >= self.point.len());
            match parent {
                Some(end) => path.truncate(end),
                None => return least,
            }
        }
    }

    fn one(&self, root: &Root, path: &str) -> Option<f64> {
        let (quota, period) = if self.second {
            let text = root.text(&format!("{path}/cpu.max"))?;
            let (quota, period) = text.split_once(' ')?;
            (quota.parse::<f64>().ok()?, period.parse::<f64>().ok()?)
        } else {
            let number = |name| root.number::<f64>(&format!("{path}/cpu.cfs_{name}_us"));
            (number("quota")?, number("period")?)
        };
        // The first version says -1 for no limit; the second says "max", which is no number.
        Some(quota / period).filter(|cpus| cpus.is_finite() && *cpus > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::fake::Fake;

    const SECOND: &str = "30 1 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate";
    const FIRST: &str = "25 1 0:20 / /proc rw - proc proc rw\n\
         31 1 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
         32 1 0:28 / /sys/fs/cgroup/cpu,cpuacct rw shared:7 - cgroup cgroup rw,cpu,cpuacct";

    fn with(name: &str, group: &str, mounts: &str, files: &[(&str, &str)]) -> Option<f64> {
        let fake = Fake::new(&format!("cgroup-{name}"), files.iter().copied());
        fake.write("proc/self/cgroup", group);
        fake.write("proc/self/mountinfo", mounts);
        quota(&fake.root())
    }

    #[test]
    fn second_version() {
        let one =
            |name, max| with(name, "0::/app\n", SECOND, &[("sys/fs/cgroup/app/cpu.max", max)]);
        assert_eq!(one("half", "150000 100000\n"), Some(1.5));
        assert_eq!(one("max", "max 100000\n"), None);
        for (name, broken) in [("b1", ""), ("b2", "x y"), ("b3", "5"), ("b4", "5 0"), ("b5", "0 5")]
        {
            assert_eq!(one(name, broken), None, "{broken}");
        }
    }

    #[test]
    fn the_least_of_all_groups_around() {
        let files = [
            ("sys/fs/cgroup/a/cpu.max", "200000 100000"),
            ("sys/fs/cgroup/a/b/cpu.max", "max 100000"),
            ("sys/fs/cgroup/a/b/c/cpu.max", "300000 100000"),
        ];
        assert_eq!(with("around", "0::/a/b/c", SECOND, &files), Some(2.0));
        assert_eq!(with("between", "0::/a/b", SECOND, &files), Some(2.0));
        assert_eq!(with("other", "0::/d", SECOND, &files), None);
    }

    #[test]
    fn first_version() {
        let files = [
            ("sys/fs/cgroup/cpu,cpuacct/app/cpu.cfs_quota_us", "50000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/app/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
        ];
        let groups = "9:memory:/app\n4:cpu,cpuacct:/app\n0::/app";
        assert_eq!(with("first", groups, FIRST, &files), Some(0.5));
        assert_eq!(with("first-top", "4:cpu,cpuacct:/", FIRST, &files), None);
        assert_eq!(with("first-none", "4:cpuset:/app", FIRST, &files), None);
        // Both versions are mounted, and the second has no CPU controller.
        let both =
            format!("{FIRST}\n{}", SECOND.replace("/sys/fs/cgroup", "/sys/fs/cgroup/unified"));
        assert_eq!(with("both", groups, &both, &files), Some(0.5));
    }

    #[test]
    fn in_a_container() {
        let files = [("sys/fs/cgroup/cpu.max", "250000 100000")];
        let mounts = SECOND.replace(" / /sys", " /docker/f00 /sys");
        assert_eq!(with("same", "0::/docker/f00", &mounts, &files), Some(2.5));
        assert_eq!(with("space", "0::/", &mounts, &files), Some(2.5));
        assert_eq!(with("above", "0::/../other", SECOND, &files), Some(2.5));
        assert_eq!(with("like", "0::/docker/f00d", &mounts, &files), Some(2.5));
    }

    #[test]
    fn unreadable() {
        assert_eq!(quota(&Root::new("/nowhere/at/all")), None);
        assert_eq!(with("lines", "nonsense", "more - nonsense\n- -\n", &[]), None);
        assert_eq!(with("gone", "0::/app", SECOND, &[]), None);
    }
}
