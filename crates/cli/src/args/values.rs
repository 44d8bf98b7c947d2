//! Values that are more than a word or a number.

/// A size in bytes: a number, with `K`, `M` or `G` for powers of 1,024.
pub(super) fn bytes(text: &str) -> Result<usize, String> {
    let (digits, shift) = match text.as_bytes().last().map(u8::to_ascii_uppercase) {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number: usize =
        digits.parse().map_err(|_| "expected bytes, such as 65536, 64K or 16M".to_owned())?;
    match number.checked_mul(1 << shift) {
        Some(0) => Err("must be more than 0".to_owned()),
        Some(bytes) => Ok(bytes),
        None => Err("too large".to_owned()),
    }
}

/// The name of a method; `auto` is the default one.
pub(super) fn method(text: &str) -> Result<&'static huller_extract::Method, String> {
    if text == "auto" {
        return Ok(&huller_extract::METHODS[0]);
    }
    huller_extract::find(text).ok_or_else(|| {
        let names: Vec<_> = huller_extract::METHODS.iter().map(|method| method.name).collect();
        format!("no such method; there are {}", names.join(", "))
    })
}

/// Names of methods with commas between them, or `all`.
#[derive(Clone, Debug)]
pub(crate) struct Methods(pub(crate) Vec<&'static huller_extract::Method>);

/// Reads them; a name that comes twice counts once.
pub(super) fn methods(text: &str) -> Result<Methods, String> {
    let mut methods: Vec<&'static huller_extract::Method> = Vec::new();
    for name in text.split(',') {
        let named = if name == "all" {
            huller_extract::METHODS.iter().collect()
        } else {
            vec![method(name)?]
        };
        for method in named {
            if methods.iter().all(|known| known.name != method.name) {
                methods.push(method);
            }
        }
    }
    Ok(Methods(methods))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_listed_once() {
        let names = |text: &str| {
            methods(text).map(|list| list.0.iter().map(|method| method.name).collect::<Vec<_>>())
        };
        let all: Vec<_> = huller_extract::METHODS.iter().map(|method| method.name).collect();
        assert_eq!(names("all"), Ok(all.clone()));
        assert_eq!(names("body,pvalue,body"), Ok(vec!["body", "pvalue"]));
        assert_eq!(names("body,all").unwrap().len(), all.len());
        assert!(["", "body,", "bodies"].iter().all(|text| names(text).is_err()));
    }

    #[test]
    fn sizes_are_bytes_or_powers_of_two_of_them() {
        assert_eq!(
            ["7", "64K", "16m", "1G"].map(|text| bytes(text).unwrap()),
            [7, 65536, 16 << 20, 1 << 30]
        );
        assert!(
            ["", "0", "-1", "1.5M", "99999999999999G", "M"].iter().all(|text| bytes(text).is_err())
        );
    }
}
