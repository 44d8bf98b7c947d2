//! Finds attributes that hide elements.

use huller_page::{AttributeName, Node, Page};

/// Returns whether the attribute `hidden` or a `style` hides an element.
#[inline]
pub fn is_hidden(page: &Page<'_>, node: &Node) -> bool {
    page.attributes(node).iter().any(|attribute| match attribute.name {
        AttributeName::Hidden => true,
        AttributeName::Style => {
            hides(&page.html()[attribute.value.start as usize..attribute.value.end as usize])
        }
        _ => false,
    })
}

/// Returns whether a `style` attribute hides its element.
pub fn hides(style: &str) -> bool {
    style.as_bytes().split(|byte| *byte == b';').map(<[u8]>::trim_ascii_start).any(|declaration| {
        let is = |property: &str, hidden: &str| {
            let (name, value_part) = declaration.split_at_checked(property.len())?;
            let value = value_part.trim_ascii_start().strip_prefix(b":")?;
            let value = value.split(|byte| *byte == b'!').next()?.trim_ascii();
            let holds = name.eq_ignore_ascii_case(property.as_bytes());
            (holds && value.eq_ignore_ascii_case(hidden.as_bytes())).then_some(())
        };
        match declaration.first() {
            Some(b'd' | b'D') => is("display", "none").is_some(),
            Some(b'v' | b'V') => is("visibility", "hidden").is_some(),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hiding_styles_are_recognised() {
        for style in
            ["color: red; DISPLAY : none !important", "display:none", ";\nVisibility:Hidden ;"]
        {
            assert!(hides(style), "{style}");
        }
        let shown = [
            "display:block; x-display:none",
            "display",
            "displays:none",
            "visibility:none",
            "d",
            "",
        ];
        for style in shown {
            assert!(!hides(style), "{style}");
        }
    }
}
