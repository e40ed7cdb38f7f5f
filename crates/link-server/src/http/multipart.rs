//! `multipart/form-data` (RFC 7578): the form of a page without a script, with its files.
//!
//! Our own: the libraries buffer what the connection has, so that a fast sender decides how much memory a file takes. This
//! one keeps one chunk of the body.

use axum::body::{Body, BodyDataStream};
use axum::http::{HeaderMap, header};
use futures_util::StreamExt as _;
use link_types::problem::ProblemCode;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use crate::http::limits::body::{MinimumRate, RateChecked, late};
use crate::http::problem::{ApiResult, Problem};

/// Maximum size of the headers of a part in bytes.
const MAX_HEADERS: usize = 8 * 1024;
/// Maximum length of a boundary (RFC 2046).
const MAX_BOUNDARY: usize = 70;

/// The parts of a body, one after the other.
pub struct Multipart {
    body: BodyDataStream,
    /// Bytes that were received: at most one chunk, and a delimiter or the headers of a part.
    buffer: Vec<u8>,
    /// How many bytes of the buffer were returned. They are dropped once for each chunk, not for each part.
    taken: usize,
    /// The bytes before a part's headers: a line break, two dashes and the boundary.
    delimiter: Vec<u8>,
    /// How many more bytes the body may have.
    room: u64,
    rate: RateChecked,
    ends_at: Instant,
    stopping: watch::Receiver<bool>,
    is_in_part: bool,
    is_over: bool,
}

/// The headers of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartHead {
    /// The name of the field.
    pub name: String,
    /// The name of the file. `None` for a text. Empty if the person chose no file.
    pub file_name: Option<String>,
}

impl Multipart {
    /// Reads a body of at most `limit` bytes, until `ends_at` or until the service stops. `None` if its media type is another
    /// one.
    pub fn new(
        headers: &HeaderMap,
        body: Body,
        limit: u64,
        (ends_at, stopping): (Instant, watch::Receiver<bool>),
    ) -> Option<Self> {
        let media_type = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
        let (kind, parameters) = media_type.split_once(';')?;
        if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
            return None;
        }
        let boundary =
            parameter(parameters, "boundary").filter(|it| (1..=MAX_BOUNDARY).contains(&it.len()))?;
        Some(Self {
            body: body.into_data_stream(),
            // The first delimiter has no line break before it.
            buffer: b"\r\n".to_vec(),
            taken: 0,
            delimiter: format!("\r\n--{boundary}").into_bytes(),
            room: limit,
            rate: MinimumRate::KILOBYTE_PER_SECOND.begins(Instant::now()),
            ends_at,
            stopping,
            is_in_part: true,
            is_over: false,
        })
    }

    /// Returns the headers of the next part, after skipping the rest of this one. `None` after the last part.
    ///
    /// # Errors
    /// 400 for a body that ends early or is malformed, 408 for a slow one, 413 for one that is too large.
    pub async fn next_part(&mut self) -> ApiResult<Option<PartHead>> {
        while self.next_bytes().await?.is_some() {}
        if self.is_over {
            return Ok(None);
        }
        while self.rest().len() < 2 {
            self.fill().await?;
        }
        if self.rest().starts_with(b"--") {
            self.is_over = true;
            return Ok(None);
        }
        let mut searched = 0;
        let end = loop {
            if let Some(end) = find(&self.rest()[searched..], b"\r\n\r\n") {
                break searched + end;
            }
            if self.rest().len() > MAX_HEADERS {
                return Err(other_format());
            }
            searched = self.rest().len().saturating_sub(3);
            self.fill().await?;
        };
        let headers = self.take(end);
        self.taken += 4;
        let headers = String::from_utf8(headers).map_err(|_| other_format())?;
        self.is_in_part = true;
        parse_head(&headers).map(Some).ok_or_else(other_format)
    }

    /// Returns more bytes of the current part. `None` at its end.
    ///
    /// # Errors
    /// As of [`Multipart::next_part`].
    pub async fn next_bytes(&mut self) -> ApiResult<Option<Vec<u8>>> {
        while self.is_in_part {
            if let Some(at) = find(self.rest(), &self.delimiter) {
                if at > 0 {
                    return Ok(Some(self.take(at)));
                }
                self.taken += self.delimiter.len();
                self.is_in_part = false;
                break;
            }
            // The end of the buffer may be the beginning of a delimiter.
            let safe = self.rest().len().saturating_sub(self.delimiter.len() - 1);
            if safe > 0 {
                return Ok(Some(self.take(safe)));
            }
            self.fill().await?;
        }
        Ok(None)
    }

    /// Grants the sender the time that the service took with the bytes.
    pub fn extend(&mut self, since: Instant) {
        self.rate.extend(since.elapsed());
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.taken..]
    }

    fn take(&mut self, count: usize) -> Vec<u8> {
        let bytes = self.rest()[..count].to_vec();
        self.taken += count;
        bytes
    }

    async fn fill(&mut self) -> ApiResult<()> {
        let deadline = self.rate.deadline().min(self.ends_at);
        let chunk = tokio::select! {
            biased;
            // An error means that the sender was dropped, which also means that the service stops.
            _ = self.stopping.wait_for(|stop| *stop) => {
                return Err(Problem::unavailable("The service stopped while it received a form"));
            }
            chunk = timeout_at(deadline, self.body.next()) => chunk.map_err(|_| late())?,
        };
        let chunk = chunk.ok_or_else(early_end)?.map_err(|_| early_end())?;
        self.rate.count_bytes(chunk.len(), Instant::now());
        let length = u64::try_from(chunk.len()).unwrap_or(u64::MAX);
        self.room = self
            .room
            .checked_sub(length)
            .ok_or_else(|| Problem::new(ProblemCode::PayloadTooLarge, "Send a smaller body."))?;
        self.buffer.drain(..self.taken);
        self.taken = 0;
        self.buffer.extend_from_slice(&chunk);
        Ok(())
    }
}

fn early_end() -> Problem {
    Problem::unparseable("The body ended early.")
}

fn other_format() -> Problem {
    Problem::unparseable("The body is not multipart/form-data.")
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|it| it == wanted)
}

fn parse_head(headers: &str) -> Option<PartHead> {
    let disposition = headers.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-disposition").then_some(value)
    })?;
    let (kind, parameters) = disposition.split_once(';')?;
    if !kind.trim().eq_ignore_ascii_case("form-data") {
        return None;
    }
    // Browsers write these characters like this (HTML, section 4.10.21.8). A backslash is part of a name.
    let plain = |text: String| text.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n");
    let name = plain(parameter(parameters, "name")?);
    Some(PartHead { name, file_name: parameter(parameters, "filename").map(plain) })
}

/// Returns the value of a parameter, such as `name="a; b"; filename=c`.
fn parameter(parameters: &str, wanted: &str) -> Option<String> {
    let mut rest = parameters;
    while let Some((name, value)) = rest.split_once('=') {
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => value.split_at(value.find(';').unwrap_or(value.len())),
        };
        if name.trim_matches([' ', '\t', ';']).eq_ignore_ascii_case(wanted) {
            return Some(value.trim().to_owned());
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::stream;
    use rstest::rstest;

    use super::*;

    const BODY: &str = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--x\r\n\
        content-disposition: form-data; name=\"b\"; filename=\"c%22;\\d.pdf\"\r\nContent-Type: application/pdf\r\n\r\n\
        \r\n--\r\n-x\r\n--x--\r\n";

    fn begin(headers: &HeaderMap, body: Body, limit: u64) -> (Option<Multipart>, watch::Sender<bool>) {
        let (stop, stopping) = watch::channel(false);
        let ends_at = Instant::now() + Duration::from_secs(10);
        (Multipart::new(headers, body, limit, (ends_at, stopping)), stop)
    }

    fn parts(body: &str, size: usize, limit: u64) -> (Multipart, watch::Sender<bool>) {
        let chunks: Vec<_> =
            body.as_bytes().chunks(size).map(|it| Ok::<_, std::io::Error>(it.to_vec())).collect();
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, "multipart/form-data; boundary=x".parse().unwrap());
        let (parts, stop) = begin(&headers, Body::from_stream(stream::iter(chunks)), limit);
        (parts.unwrap(), stop)
    }

    async fn read(
        (mut parts, _stop): (Multipart, watch::Sender<bool>),
    ) -> ApiResult<Vec<(PartHead, String)>> {
        let mut found = Vec::new();
        while let Some(head) = parts.next_part().await? {
            let mut bytes = Vec::new();
            while let Some(some) = parts.next_bytes().await? {
                bytes.extend(some);
            }
            found.push((head, String::from_utf8(bytes).unwrap()));
        }
        Ok(found)
    }

    #[rstest]
    #[tokio::test]
    async fn parts_are_read_however_the_body_is_cut(#[values(1, 2, 3, 7, 1_000)] size: usize) {
        let head = |name: &str, file_name: Option<&str>| PartHead {
            name: name.to_owned(),
            file_name: file_name.map(str::to_owned),
        };
        let expected = vec![
            (head("a", None), "one".to_owned()),
            (head("b", Some("c\";\\d.pdf")), "\r\n--\r\n-x".to_owned()),
        ];
        assert_eq!(read(parts(BODY, size, 1_000)).await.unwrap(), expected);
    }

    #[tokio::test]
    async fn rest_of_a_part_is_skipped() {
        let (mut parts, _stop) = parts(BODY, 5, 1_000);
        assert_eq!(parts.next_part().await.unwrap().unwrap().name, "a");
        assert_eq!(parts.next_part().await.unwrap().unwrap().name, "b");
        assert_eq!(parts.next_part().await.unwrap(), None);
        assert_eq!(parts.next_part().await.unwrap(), None);
    }

    #[rstest]
    #[case::cut_off(&BODY[..BODY.len() - 6], 1_000, 400)]
    #[case::no_disposition("--x\r\nA: b\r\n\r\n\r\n--x--", 1_000, 400)]
    #[case::too_large(BODY, 40, 413)]
    #[tokio::test]
    async fn other_bodies_are_rejected(#[case] body: &str, #[case] limit: u64, #[case] status: u16) {
        assert_eq!(read(parts(body, 9, limit)).await.unwrap_err().status().as_u16(), status);
    }

    #[tokio::test]
    async fn headers_of_a_part_are_bounded() {
        let endless = format!("--x\r\nA: {}", "b".repeat(1_000_000));
        let (mut parts, _stop) = parts(&endless, 1_024, u64::MAX);
        assert_eq!(parts.next_part().await.unwrap_err().status().as_u16(), 400);
        assert!(parts.buffer.len() < 2 * MAX_HEADERS, "{}", parts.buffer.len());
    }

    /// A body whose sender never ends it.
    fn endless() -> (Multipart, watch::Sender<bool>) {
        let headers = HeaderMap::from_iter([(
            header::CONTENT_TYPE,
            "multipart/form-data; boundary=x".parse().unwrap(),
        )]);
        let body =
            stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b'a'; 20_000])).then(|it| async move {
                tokio::time::sleep(Duration::from_secs(1)).await;
                it
            });
        let (parts, stop) = begin(&headers, Body::from_stream(body), u64::MAX);
        (parts.unwrap(), stop)
    }

    #[tokio::test(start_paused = true)]
    async fn endless_body_ends_at_its_deadline() {
        let begun = Instant::now();
        assert_eq!(read(endless()).await.unwrap_err().status().as_u16(), 408);
        assert_eq!(begun.elapsed(), Duration::from_secs(10));
    }

    #[tokio::test(start_paused = true)]
    async fn body_ends_when_the_service_stops() {
        let (mut parts, stop) = endless();
        stop.send(true).unwrap();
        assert_eq!(parts.next_part().await.unwrap_err().status().as_u16(), 503);
    }

    #[test]
    fn other_media_types_have_no_parts() {
        for media_type in
            ["application/x-www-form-urlencoded", "multipart/form-data", "multipart/mixed; boundary=x"]
        {
            let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, media_type.parse().unwrap())]);
            assert!(begin(&headers, Body::empty(), 10).0.is_none(), "{media_type}");
        }
    }
}
