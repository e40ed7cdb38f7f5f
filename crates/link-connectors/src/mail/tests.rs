use link_domain::mail::Mail;
use link_domain::ports::{MailFault, Mailer as _};
use link_types::Sensitive;
use rstest::rstest;

use super::message::message;
use super::{FolderMailer, SmtpAddressError, SmtpMailer};

fn mail() -> Mail {
    Mail {
        name: "iv-0.1".into(),
        sender_name: "Acme, Inc.\r\nBcc: all@example.com".into(),
        reply_to: Some("help@acme.example".into()),
        recipient_name: Sensitive::new("Ana \"the\" Ruiz"),
        recipient: Sensitive::new("ana@example.com"),
        subject: Sensitive::new("Hola, Ana: señal\r\nX-Evil: 1"),
        text: Sensitive::new("Hello"),
        html: Sensitive::new("<p>Hello</p>"),
    }
}

fn from() -> lettre::Address {
    "invites@linchpin.example".parse().unwrap()
}

#[test]
fn no_text_of_a_mail_becomes_a_header() {
    let written = String::from_utf8(message(&mail(), &from()).unwrap().formatted()).unwrap();
    let (headers, _) = written.split_once("\r\n\r\n").unwrap();
    let names: Vec<_> = headers
        .lines()
        .filter(|line| !line.starts_with([' ', '\t']))
        .map(|line| line.split_once(':').unwrap().0)
        .collect();
    assert!(!names.contains(&"Bcc") && !names.contains(&"X-Evil"), "{headers}");
    assert!(headers.contains("Message-ID: <iv-0.1@linchpin.example>"), "{headers}");
    assert!(headers.contains("Reply-To: help@acme.example"), "{headers}");
}

#[test]
fn an_address_that_is_none_is_refused_for_good() {
    let wrong = Mail { recipient: Sensitive::new("ana@exa mple"), ..mail() };
    assert_eq!(message(&wrong, &from()).unwrap_err(), MailFault::Refused);
}

#[tokio::test]
async fn without_a_server_mails_are_files_and_go_with_their_invitation() {
    let folder = tempfile::tempdir().unwrap();
    let mailer = FolderMailer::new(folder.path().join("mail"), from());
    mailer.forget("iv-0").await.unwrap();
    mailer.send(&mail()).await.unwrap();
    mailer.send(&Mail { name: "iv-00.1".into(), ..mail() }).await.unwrap();
    let names = || {
        let all = std::fs::read_dir(folder.path().join("mail")).unwrap();
        let mut names: Vec<_> = all.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["iv-0.1.eml", "iv-00.1.eml"]);
    mailer.forget("iv-0").await.unwrap();
    assert_eq!(names(), ["iv-00.1.eml"]);
}

#[rstest]
#[case::tls("smtps://user:pw@mail.example", None)]
#[case::starttls("smtp://user:pw@mail.example:587?tls=required", None)]
#[case::this_machine("smtp://127.0.0.1:2525", None)]
#[case::in_clear("smtp://user:pw@mail.example", Some(SmtpAddressError::InClear))]
#[case::perhaps_in_clear("smtp://mail.example?tls=opportunistic", Some(SmtpAddressError::InClear))]
#[case::another_scheme("https://127.0.0.1", Some(SmtpAddressError::Malformed))]
#[case::nonsense("mail", Some(SmtpAddressError::Malformed))]
#[tokio::test]
async fn mails_leave_this_machine_encrypted_or_not_at_all(
    #[case] address: &str,
    #[case] expected: Option<SmtpAddressError>,
) {
    assert_eq!(SmtpMailer::new(address, from()).err(), expected);
}
