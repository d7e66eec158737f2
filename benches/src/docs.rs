//! Generated parts of a page. In comes a page with two marks for each part, out comes the page with what
//! stood between them replaced.

/// Puts the text between `<!-- report: NAME -->` and `<!-- end of NAME -->`.
///
/// # Errors
///
/// If the page does not have both marks, in this order.
pub fn put(page: &str, name: &str, text: &str) -> Result<String, String> {
    let (begin, end) = (format!("<!-- report: {name} -->"), format!("<!-- end of {name} -->"));
    let missing = |mark: &str| format!("the page has no {mark}");
    let (before, rest) = page.split_once(&begin).ok_or_else(|| missing(&begin))?;
    let (_, after) = rest.split_once(&end).ok_or_else(|| missing(&end))?;
    Ok(format!("{before}{begin}\n\n{}\n\n{end}{after}", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "Before.\n<!-- report: a -->\nold\n<!-- end of a -->\nBetween.\n\
                        <!-- report: b -->\n<!-- end of b -->\nAfter.\n";

    #[test]
    fn only_what_is_between_the_marks_changes_and_twice_is_as_once() {
        let once = put(PAGE, "a", "new\n").expect("marks");
        assert_eq!(once, PAGE.replace("\nold\n", "\n\nnew\n\n"));
        assert_eq!(put(&once, "a", "new").expect("marks"), once);
    }

    #[test]
    fn a_page_without_marks_is_an_error() {
        assert!(put(PAGE, "c", "new").is_err());
        assert!(put("<!-- end of a --> <!-- report: a -->", "a", "new").is_err());
    }
}
