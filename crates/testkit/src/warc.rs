//! Makes WARC records and HTTP responses, sound or wrong as a test wants them.

/// A WARC record. Every part can be replaced, and [`Record::to_bytes`] writes the parts unchecked.
#[derive(Clone, Debug)]
pub struct Record {
    version: Vec<u8>,
    kind: Vec<u8>,
    id: Option<String>,
    uri: Option<Vec<u8>>,
    content_type: Option<Vec<u8>>,
    fields: Vec<u8>,
    length: Option<Vec<u8>>,
    block: Vec<u8>,
    end: Vec<u8>,
}

impl Record {
    /// Returns a WARC/1.0 record that has only a type, a block and its length.
    pub fn new(kind: &str, block: impl Into<Vec<u8>>) -> Record {
        let block = block.into();
        Record {
            version: b"WARC/1.0".to_vec(),
            kind: kind.as_bytes().to_vec(),
            id: None,
            uri: None,
            content_type: None,
            fields: Vec::new(),
            length: Some(block.len().to_string().into_bytes()),
            block,
            end: b"\r\n\r\n".to_vec(),
        }
    }

    /// Sets the version line.
    #[must_use]
    pub fn version(self, version: &str) -> Record {
        Record { version: version.as_bytes().to_vec(), ..self }
    }

    /// Sets the UUID of the identifier, and a date.
    #[must_use]
    pub fn id(self, uuid: String) -> Record {
        Record { id: Some(uuid), ..self }
    }

    /// Sets the target URI.
    #[must_use]
    pub fn uri(self, uri: &[u8]) -> Record {
        Record { uri: Some(uri.to_vec()), ..self }
    }

    /// Sets the content type.
    #[must_use]
    pub fn content_type(self, content_type: &str) -> Record {
        Record { content_type: Some(content_type.as_bytes().to_vec()), ..self }
    }

    /// Removes the content type.
    #[must_use]
    pub fn without_content_type(self) -> Record {
        Record { content_type: None, ..self }
    }

    /// Adds header lines, whose line ends are part of `fields`.
    #[must_use]
    pub fn fields(self, fields: impl Into<Vec<u8>>) -> Record {
        Record { fields: fields.into(), ..self }
    }

    /// Sets the value of Content-Length, independently of the block.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "takes numbers and texts alike")]
    pub fn length(self, value: impl ToString) -> Record {
        Record { length: Some(value.to_string().into_bytes()), ..self }
    }

    /// Removes Content-Length.
    #[must_use]
    pub fn without_length(self) -> Record {
        Record { length: None, ..self }
    }

    /// Sets the bytes after the block, where two line ends belong.
    #[must_use]
    pub fn end(self, end: &[u8]) -> Record {
        Record { end: end.to_vec(), ..self }
    }

    /// Returns header, block and end.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.version.clone();
        out.extend_from_slice(b"\r\n");
        let mut field = |name: &str, value: &[u8]| {
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b": ");
            out.extend_from_slice(value);
            out.extend_from_slice(b"\r\n");
        };
        field("WARC-Type", &self.kind);
        if let Some(id) = &self.id {
            field("WARC-Record-ID", format!("<urn:uuid:{id}>").as_bytes());
            field("WARC-Date", b"2024-02-29T12:00:00Z");
        }
        if let Some(uri) = &self.uri {
            field("WARC-Target-URI", uri);
        }
        if let Some(content_type) = &self.content_type {
            field("Content-Type", content_type);
        }
        out.extend_from_slice(&self.fields);
        if let Some(length) = &self.length {
            out.extend_from_slice(b"Content-Length: ");
            out.extend_from_slice(length);
            out.extend_from_slice(b"\r\n");
        }
        out.extend_from_slice(b"\r\n");
        out.extend_from_slice(&self.block);
        out.extend_from_slice(&self.end);
        out
    }
}

/// Returns a short record with a target URI and a correct Content-Length.
pub fn record(kind: &str, block: &[u8]) -> Vec<u8> {
    record_with(kind, &block.len().to_string(), "", block)
}

/// Returns a short record with a target URI, any value of Content-Length, and more header lines.
pub fn record_with(kind: &str, length: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    let uri = format!("http://example.test/{kind}");
    Record::new(kind, block).uri(uri.as_bytes()).fields(fields).length(length).to_bytes()
}

/// An HTTP response with status 200.
#[derive(Clone, Debug)]
pub struct Http {
    status: String,
    content_type: Vec<u8>,
    has_length: bool,
    fields: Vec<u8>,
    body: Vec<u8>,
}

impl Http {
    /// Returns a page of HTML in UTF-8, with its length.
    pub fn page(body: impl Into<Vec<u8>>) -> Http {
        Http {
            status: "200 OK".to_owned(),
            content_type: b"text/html; charset=utf-8".to_vec(),
            has_length: true,
            fields: Vec::new(),
            body: body.into(),
        }
    }

    /// Sets the status.
    #[must_use]
    pub fn status(self, status: &str) -> Http {
        Http { status: status.to_owned(), ..self }
    }

    /// Sets the content type.
    #[must_use]
    pub fn content_type(self, content_type: impl Into<Vec<u8>>) -> Http {
        Http { content_type: content_type.into(), ..self }
    }

    /// Adds a Content-Encoding, which the body already has.
    #[must_use]
    pub fn encoding(self, encoding: &str) -> Http {
        self.field(&format!("Content-Encoding: {encoding}"))
    }

    /// Adds a header line.
    #[must_use]
    pub fn field(mut self, line: &str) -> Http {
        self.fields.extend_from_slice(line.as_bytes());
        self.fields.extend_from_slice(b"\r\n");
        self
    }

    /// Marks the body as chunked, which it already is, and removes the length.
    #[must_use]
    pub fn chunked(self) -> Http {
        Http { has_length: false, ..self.field("Transfer-Encoding: chunked") }
    }

    /// Returns head and body.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = format!("HTTP/1.1 {}\r\nContent-Type: ", self.status).into_bytes();
        out.extend_from_slice(&self.content_type);
        out.extend_from_slice(b"\r\n");
        if self.has_length {
            out.extend_from_slice(format!("Content-Length: {}\r\n", self.body.len()).as_bytes());
        }
        out.extend_from_slice(&self.fields);
        out.extend_from_slice(b"\r\n");
        out.extend_from_slice(&self.body);
        out
    }
}
