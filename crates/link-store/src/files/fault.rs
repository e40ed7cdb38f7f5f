//! Meaning of an error of the object store, by the code that the store itself sent.

use std::error::Error as _;
use std::io::ErrorKind;

use link_domain::documents::file_store::FileStoreError;

/// Codes that last until an operator acts, and what to do. The first one that occurs in the response counts.
const REFUSALS: &[(&str, &str)] = &[
    (
        "AccessDenied",
        "Allow the access key to put, get and delete objects, and to list the bucket (s3:PutObject, s3:GetObject, \
         s3:DeleteObject, s3:ListBucket)",
    ),
    ("AllAccessDisabled", "The bucket is disabled. Ask the store's operator"),
    ("InvalidAccessKeyId", "The store does not know the access key. Check LINCHPIN_S3_ACCESS_KEY_ID"),
    ("SignatureDoesNotMatch", "Check LINCHPIN_S3_SECRET_ACCESS_KEY, and that no proxy changes the requests"),
    ("ExpiredToken", "The access key has expired. Set another one"),
    ("InvalidToken", "The access key is not valid. Set another one"),
    ("NoSuchBucket", "Create the bucket, or name an existing one with --s3-bucket or --backup-to"),
    ("InvalidBucketName", "Name an existing bucket with --s3-bucket or --backup-to"),
    (
        "PermanentRedirect",
        "The bucket is in another region or at another address. Check --s3-region and --s3-endpoint",
    ),
    ("TemporaryRedirect", "The bucket is at another address. Check --s3-endpoint"),
    ("AuthorizationHeaderMalformed", "The bucket is in another region. Check --s3-region"),
    ("IllegalLocationConstraintException", "The bucket is in another region. Check --s3-region"),
    (
        "RequestTimeTooSkewed",
        "The clock of this machine differs from the store's by more than 15 minutes. Run chronyd or another NTP client",
    ),
    ("QuotaExceeded", "The bucket is full. Raise its quota"),
    ("XMinioStorageFull", "The store is full. Free space"),
    ("XMinioAdminBucketQuotaExceeded", "The bucket is full. Raise its quota"),
];
/// The code for a redirect without a body.
const REDIRECT: &str = "PermanentRedirect";

/// Converts an error of the object store.
pub(super) fn convert(error: &object_store::Error) -> FileStoreError {
    let words = error.to_string();
    let code = code_of(&words);
    let known = |code: &str| REFUSALS.iter().find(|(known, _)| *known == code);
    if let Some((code, remedy)) = code.and_then(known) {
        return FileStoreError::Refused { code: (*code).to_owned(), cause: message_of(&words), remedy };
    }
    if (words.contains("redirect without LOCATION")
        || words.contains("301 Moved")
        || words.contains("307 Temporary"))
        && let Some((code, remedy)) = known(REDIRECT)
    {
        return FileStoreError::Refused {
            code: (*code).to_owned(),
            cause: "the store redirects".to_owned(),
            remedy,
        };
    }
    if let Some(refused) = disk_refusal(error) {
        return refused;
    }
    if matches!(error, object_store::Error::NotFound { .. }) {
        return FileStoreError::Missing;
    }
    match code {
        // Such as SlowDown or InternalError.
        Some(code) => FileStoreError::Unavailable(format!("{code}: {}", message_of(&words))),
        None => FileStoreError::Unavailable(words),
    }
}

/// Returns the refusal of a file system, if it caused the error.
fn disk_refusal(error: &object_store::Error) -> Option<FileStoreError> {
    let mut cause = error.source();
    while let Some(below) = cause {
        if let Some(error) = below.downcast_ref::<std::io::Error>() {
            return refusal_of_io(error);
        }
        cause = below.source();
    }
    None
}

/// Returns the refusal of a file system that lasts until an operator acts.
pub(super) fn refusal_of_io(error: &std::io::Error) -> Option<FileStoreError> {
    let kind = error.kind();
    let (code, remedy) = if kind == ErrorKind::PermissionDenied {
        ("EACCES", "Make the service's user the owner of the folder of files")
    } else if kind == ErrorKind::ReadOnlyFilesystem {
        (
            "EROFS",
            "Mount the folder of files so that it can be written, or name it in ReadWritePaths= of the unit",
        )
    } else if kind == ErrorKind::StorageFull {
        ("ENOSPC", "Free space on the disk of the files")
    } else if kind == ErrorKind::QuotaExceeded {
        ("EDQUOT", "Raise the disk quota of the service's user")
    } else {
        return None;
    };
    Some(FileStoreError::Refused { code: code.to_owned(), cause: error.to_string(), remedy })
}

/// Returns the code in an S3 error document.
fn code_of(words: &str) -> Option<&str> {
    between(words, "<Code>", "</Code>").filter(|code| code.chars().all(|it| it.is_ascii_alphanumeric()))
}

/// Returns the message in an S3 error document. Other words of the driver contain the addresses of objects.
fn message_of(words: &str) -> String {
    let message = between(words, "<Message>", "</Message>").unwrap_or("no message");
    message.chars().filter(|it| !it.is_control()).take(200).collect()
}

fn between<'a>(words: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, after) = words.split_once(start)?;
    after.split_once(end).map(|(found, _)| found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_s3(status: &str, code: &str) -> FileStoreError {
        let body = format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>No.</Message></Error>");
        let source = format!("Server returned non-2xx status code: {status}: {body}").into();
        let path = "archives/a".to_owned();
        convert(&match status {
            "404 Not Found" => object_store::Error::NotFound { path, source },
            "403 Forbidden" => object_store::Error::PermissionDenied { path, source },
            _ => object_store::Error::Generic { store: "S3", source },
        })
    }

    #[test]
    fn lasting_refusals_have_the_stores_code_and_a_remedy() {
        for (status, code, advice) in [
            ("403 Forbidden", "AccessDenied", "s3:PutObject"),
            ("404 Not Found", "NoSuchBucket", "--s3-bucket"),
            ("301 Moved Permanently", "PermanentRedirect", "--s3-region"),
            ("403 Forbidden", "RequestTimeTooSkewed", "clock"),
            ("403 Forbidden", "InvalidAccessKeyId", "LINCHPIN_S3_ACCESS_KEY_ID"),
        ] {
            let FileStoreError::Refused { code: found, cause, remedy } = from_s3(status, code) else {
                panic!("{code} is not a refusal");
            };
            assert_eq!((found.as_str(), cause.as_str()), (code, "No."));
            assert!(remedy.contains(advice), "{remedy}");
        }
    }

    #[test]
    fn passing_faults_keep_the_stores_code() {
        let slow = from_s3("503 Service Unavailable", "SlowDown");
        assert_eq!(slow, FileStoreError::Unavailable("SlowDown: No.".to_owned()));
        assert_eq!(from_s3("404 Not Found", "NoSuchKey"), FileStoreError::Missing);
    }

    #[test]
    fn read_only_folder_is_a_refusal() {
        let refused = refusal_of_io(&std::io::Error::from(ErrorKind::ReadOnlyFilesystem));
        assert!(matches!(refused, Some(FileStoreError::Refused { code, .. }) if code == "EROFS"));
        assert_eq!(refusal_of_io(&std::io::Error::from(ErrorKind::TimedOut)), None);
    }
}
