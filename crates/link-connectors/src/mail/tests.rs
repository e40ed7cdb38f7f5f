use std::io::{BufRead as _, BufReader, Write as _};
use std::time::Duration;

use link_domain::notifications::mail::Mail;
use link_domain::notifications::mail::{MailError, Mailer as _};
use link_types::Sensitive;
use rstest::rstest;

use super::message;
use super::{SmtpAddressError, SmtpMailer, format_mail};

fn mail() -> Mail {
    Mail {
        name: "iv-0.1".into(),
        sender_name: "Acme, Inc.\r\nBcc: all@example.com".into(),
        reply_to: Some("help@acme.example".into()),
        recipient_name: Sensitive::new("Ana \"the\" Ruiz"),
        recipient: Sensitive::new("ana@example.com"),
        languages: vec!["es-MX".into(), "en\r\nX-Evil: 2".into()],
        subject: Sensitive::new("Hola, Ana: señal\r\nX-Evil: 1"),
        text: Sensitive::new("Hello"),
        html: Sensitive::new("<p>Hello</p>"),
        unsubscribe: Some(Sensitive::new("https://h/mail/stop/token")),
    }
}

fn from() -> lettre::Address {
    "invites@linchpin.example".parse().unwrap()
}

#[test]
fn mail_text_cannot_inject_headers() {
    let written = String::from_utf8(format_mail(&mail(), &from()).unwrap()).unwrap();
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
fn mail_names_its_languages() {
    let languages = vec!["es-MX".into(), "ar".into()];
    let written = String::from_utf8(format_mail(&Mail { languages, ..mail() }, &from()).unwrap()).unwrap();
    assert!(written.contains("\r\nContent-Language: es-MX, ar\r\n"), "{written}");
}

fn write_without_stop() -> Vec<u8> {
    format_mail(&Mail { unsubscribe: None, ..mail() }, &from()).unwrap()
}

#[test]
fn mail_has_one_click_unsubscribe_headers() {
    let written = String::from_utf8(format_mail(&mail(), &from()).unwrap()).unwrap();
    let unfolded = written.replace("\r\n ", " ");
    assert!(unfolded.contains("\r\nList-Unsubscribe: <https://h/mail/stop/token>\r\n"), "{written}");
    assert!(unfolded.contains("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"), "{written}");
    let without = String::from_utf8(write_without_stop()).unwrap();
    assert!(!without.contains("List-Unsubscribe"), "{without}");
}

#[test]
fn readable_mail_has_decoded_headers_and_whole_links() {
    let link = format!("https://invites.example/invite/{}", "0123456789abcdef".repeat(4));
    let long = Mail { text: Sensitive::new(format!("Señora,\n\n{link}\n")), ..mail() };
    let raw = format_mail(&long, &from()).unwrap();
    assert!(!String::from_utf8(raw.clone()).unwrap().contains(&link), "quoted-printable splits it");
    let readable = super::to_readable(&raw);
    assert!(readable.contains(&link) && readable.contains("Señora,"), "{readable}");
    assert!(readable.contains("Subject: Hola, Ana: señal"), "{readable}");
    assert!(!readable.contains("<p>Hello</p>"), "only the text: {readable}");
    let (headers, _) = readable.split_once("\n\n").unwrap();
    assert!(headers.contains("To: ") && headers.contains("ana@example.com"), "{headers}");
}

#[test]
fn invalid_recipient_is_permanently_rejected() {
    let wrong = Mail { recipient: Sensitive::new("ana@exa mple"), ..mail() };
    assert_eq!(message(&wrong, &from()).unwrap_err(), MailError::Refused);
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
async fn unencrypted_remote_smtp_address_is_rejected(
    #[case] address: &str,
    #[case] expected: Option<SmtpAddressError>,
) {
    assert_eq!(SmtpMailer::new(address, from()).err(), expected);
}

/// Starts a server that replies with `reply` to the first line with this command, and accepts everything else. Returns
/// its address.
fn server_that_replies(command: &'static str, reply: &'static str) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let mut writing = stream.try_clone().unwrap();
        let mut say = |words: &str| writing.write_all(format!("{words}\r\n").as_bytes());
        say(if command.is_empty() { reply } else { "220 mail.example" }).unwrap();
        for line in BufReader::new(stream).lines() {
            let Ok(line) = line else { return };
            let answer = match line.split(' ').next().unwrap_or_default() {
                it if it == command => reply,
                "EHLO" => "250-mail.example\r\n250 AUTH PLAIN",
                "AUTH" => "235 2.7.0 welcome",
                "DATA" => "354 go on",
                "QUIT" => "221 bye",
                "MAIL" | "RCPT" | "." => "250 2.0.0 yes",
                _ => continue,
            };
            if say(answer).is_err() {
                return;
            }
        }
    });
    format!("smtp://user:password@{address}")
}

#[rstest]
#[case::wrong_password("AUTH", "535 5.7.8 bad credentials", MailError::Unavailable)]
#[case::wrong_password_of_old("AUTH", "535 bad credentials", MailError::Unavailable)]
#[case::blocked("", "554 5.7.1 blocked", MailError::Unavailable)]
#[case::own_address("MAIL", "550 5.1.8 bad sender", MailError::Unavailable)]
#[case::no_relay("RCPT", "550 5.7.1 relaying denied", MailError::Unavailable)]
#[case::no_relay_of_old("RCPT", "550 Relaying denied", MailError::Unavailable)]
#[case::unknown("RCPT", "550 5.1.1 no such user", MailError::NoMailbox)]
#[case::unknown_of_old("RCPT", "550 no such user", MailError::NoMailbox)]
#[case::disabled("RCPT", "550 5.2.1 mailbox disabled", MailError::NoMailbox)]
#[case::full("RCPT", "552 5.2.2 mailbox full", MailError::Refused)]
#[case::too_large(".", "552 5.3.4 too large", MailError::Refused)]
#[case::later("RCPT", "450 4.2.1 try again", MailError::Unavailable)]
#[tokio::test]
async fn smtp_rejection_is_permanent_only_for_recipient_or_mail(
    #[case] command: &'static str,
    #[case] reply: &'static str,
    #[case] expected: MailError,
) {
    let mailer = SmtpMailer::new(&server_that_replies(command, reply), from()).unwrap();
    assert_eq!(mailer.send(&mail()).await, Err(expected));
}

#[tokio::test]
async fn accepted_mail_is_sent() {
    let mailer = SmtpMailer::new(&server_that_replies("NOOP", ""), from()).unwrap();
    assert_eq!(mailer.send(&mail()).await, Ok(()));
}

#[test]
fn international_domain_is_written_in_ascii() {
    let mail = Mail { recipient: Sensitive::new("ana@bücher.example"), ..mail() };
    let written = String::from_utf8(format_mail(&mail, &from()).unwrap()).unwrap();
    assert!(written.contains("<ana@xn--bcher-kva.example>\r\n"), "{written}");
}

#[rstest]
#[case::international_domain("ana@bücher.example", Ok(()))]
// Only a server with SMTPUTF8 could take it, and waiting for one would change nothing.
#[case::international_user("añá@example.com", Err(MailError::Refused))]
#[tokio::test]
async fn server_without_smtputf8_gets_only_ascii_addresses(
    #[case] recipient: &str,
    #[case] expected: Result<(), MailError>,
) {
    let mailer = SmtpMailer::new(&server_that_replies("NOOP", ""), from()).unwrap();
    let mail = Mail { recipient: Sensitive::new(recipient), ..mail() };
    assert_eq!(mailer.send(&mail).await, expected);
}

#[tokio::test(start_paused = true)]
async fn silent_smtp_server_times_out() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mailer = SmtpMailer::new(&format!("smtp://{}", listener.local_addr().unwrap()), from()).unwrap();
    let sent = tokio::time::timeout(Duration::from_secs(120), mailer.send(&mail())).await;
    assert_eq!(sent.unwrap(), Err(MailError::Unavailable));
}
