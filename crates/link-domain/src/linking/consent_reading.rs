//! The sentences of a consent text that say whether data is read once or again, and when it is deleted. They follow the
//! link template, so that the text is true whenever the template changes.

use link_types::template::{Retention, SyncInterval};
use serde::{Deserialize, Serialize};

use crate::kernel::languages::Languages;
use crate::kernel::placeholders::{Piece, find_unknown_placeholders, split_placeholders};

/// Returns the name of the first `${…}` in a consent text that the service does not know, shortened to 64 characters.
#[must_use]
pub fn find_unknown_placeholder(text: &str) -> Option<String> {
    find_unknown_placeholders(text, |name| matches!(name, READING | RETENTION)).next()
}

/// The placeholder of [`Sentences::reading`].
const READING: &str = "reading";
/// The placeholder of [`Sentences::retention`].
const RETENTION: &str = "retention";

/// The sentences of a link template in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sentences {
    /// How often data is read.
    pub reading: String,
    /// When data is deleted.
    pub retention: String,
}

/// The words of the sentences in one language. `{interval}` says how often data is read again.
struct Words {
    locale: &'static str,
    once: &'static str,
    again: &'static str,
    daily: &'static str,
    weekly: &'static str,
    monthly: &'static str,
    from_connection: &'static str,
    from_last_sync: &'static str,
}

impl Sentences {
    /// Returns the sentences for a text in this language, or in English if the service does not have it. `sync` is how
    /// often the link template has data read again, and `retention` what the 60 days count from.
    pub fn new(locale: &str, sync: Option<SyncInterval>, retention: Retention) -> Self {
        let best = Languages::from_header(locale).best(ALL.iter().map(|it| it.locale));
        let words = ALL.iter().find(|it| Some(it.locale) == best).unwrap_or(&ENGLISH);
        let reading = match sync {
            None => words.once.to_owned(),
            Some(SyncInterval::Daily) => words.again.replace("{interval}", words.daily),
            Some(SyncInterval::Weekly) => words.again.replace("{interval}", words.weekly),
            Some(SyncInterval::Monthly) => words.again.replace("{interval}", words.monthly),
        };
        let retention = match retention {
            Retention::FromConnection => words.from_connection,
            Retention::FromLastSync => words.from_last_sync,
        };
        Self { reading, retention: retention.to_owned() }
    }

    /// Returns a consent text with the sentences in place of their placeholders.
    pub fn fill(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        for piece in split_placeholders(text) {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Placeholder(READING) => filled.push_str(&self.reading),
                Piece::Placeholder(RETENTION) => filled.push_str(&self.retention),
                // No template has another one: `find_unknown_placeholder`.
                Piece::Placeholder(name) => filled.extend(["${", name, "}"]),
            }
        }
        filled
    }
}

const ENGLISH: Words = Words {
    locale: "en",
    once: "Your login is used to read this information once.",
    again: "Your login is used to read this information now, and again {interval} where the provider allows it, while \
            your consent lasts.",
    daily: "every day",
    weekly: "every week",
    monthly: "every month",
    from_connection: "The information is deleted 60 days after you last connect.",
    from_last_sync: "The information is deleted 60 days after it was last read.",
};

/// The sentences in every language of the widget.
const ALL: [Words; 7] = [
    ENGLISH,
    Words {
        locale: "es-MX",
        once: "Tus datos de acceso se usan para leer esta información una sola vez.",
        again: "Tus datos de acceso se usan para leer esta información ahora y otra vez {interval}, donde el \
                proveedor lo permita, mientras dure tu consentimiento.",
        daily: "cada día",
        weekly: "cada semana",
        monthly: "cada mes",
        from_connection: "La información se borra 60 días después de la última vez que conectas tu cuenta.",
        from_last_sync: "La información se borra 60 días después de la última vez que se lee.",
    },
    Words {
        locale: "fil",
        once: "Ginagamit ang iyong login para basahin ang impormasyong ito nang isang beses lang.",
        again: "Ginagamit ang iyong login para basahin ang impormasyong ito ngayon, at muli {interval} kung \
                pinapayagan ng provider, habang may bisa ang iyong pahintulot.",
        daily: "araw-araw",
        weekly: "bawat linggo",
        monthly: "bawat buwan",
        from_connection: "Buburahin ang impormasyon 60 araw pagkatapos ng huli mong pagkonekta.",
        from_last_sync: "Buburahin ang impormasyon 60 araw pagkatapos nitong huling basahin.",
    },
    Words {
        locale: "id",
        once: "Data masuk Anda digunakan untuk membaca informasi ini satu kali.",
        again: "Data masuk Anda digunakan untuk membaca informasi ini sekarang, dan lagi {interval} jika penyedia \
                mengizinkan, selama persetujuan Anda berlaku.",
        daily: "setiap hari",
        weekly: "setiap minggu",
        monthly: "setiap bulan",
        from_connection: "Informasi dihapus 60 hari setelah terakhir kali Anda menghubungkan akun.",
        from_last_sync: "Informasi dihapus 60 hari setelah terakhir kali dibaca.",
    },
    Words {
        locale: "pt-BR",
        once: "O seu login é usado para ler essas informações uma única vez.",
        again: "O seu login é usado para ler essas informações agora e de novo {interval}, onde o provedor permitir, \
                enquanto o seu consentimento durar.",
        daily: "todos os dias",
        weekly: "toda semana",
        monthly: "todo mês",
        from_connection: "As informações são excluídas 60 dias depois da última vez que você conecta a conta.",
        from_last_sync: "As informações são excluídas 60 dias depois da última leitura.",
    },
    Words {
        locale: "zh-Hans",
        once: "您的登录信息仅用于读取这些信息一次。",
        again: "您的登录信息现在用于读取这些信息；在您的同意有效期间，如果机构允许，之后{interval}再次读取。",
        daily: "每天",
        weekly: "每周",
        monthly: "每月",
        from_connection: "这些信息会在您最后一次关联账户 60 天后删除。",
        from_last_sync: "这些信息会在最后一次读取 60 天后删除。",
    },
    Words {
        locale: "ar",
        once: "تُستخدم بيانات دخولك لقراءة هذه المعلومات مرة واحدة فقط.",
        again: "تُستخدم بيانات دخولك لقراءة هذه المعلومات الآن، ثم {interval} إذا سمحت الجهة بذلك، ما دامت موافقتك \
                سارية.",
        daily: "كل يوم",
        weekly: "كل أسبوع",
        monthly: "كل شهر",
        from_connection: "تُحذف المعلومات بعد 60 يومًا من آخر مرة تربط فيها الحساب.",
        from_last_sync: "تُحذف المعلومات بعد 60 يومًا من آخر قراءة لها.",
    },
];

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::notifications::generated::text_keys::LOCALES;

    const INTERVALS: [Option<SyncInterval>; 4] =
        [None, Some(SyncInterval::Daily), Some(SyncInterval::Weekly), Some(SyncInterval::Monthly)];

    #[test]
    fn sentence_exists_in_every_language_of_the_widget() {
        let mut known: Vec<_> = ALL.iter().map(|it| it.locale).collect();
        known.sort_unstable();
        let mut locales = LOCALES.to_vec();
        locales.sort_unstable();
        assert_eq!(known, locales);
    }

    #[rstest]
    #[case::once("en", None, "read this information once.")]
    #[case::daily("en-GB", Some(SyncInterval::Daily), "again every day where")]
    #[case::weekly("es", Some(SyncInterval::Weekly), "otra vez cada semana")]
    #[case::other_language("fr", Some(SyncInterval::Monthly), "again every month where")]
    fn text_says_how_often_data_is_read(
        #[case] locale: &str,
        #[case] sync: Option<SyncInterval>,
        #[case] says: &str,
    ) {
        let text = Sentences::new(locale, sync, Retention::FromConnection).fill("Before. ${reading} After.");
        assert!(text.contains(says) && text.ends_with(" After.") && !text.contains('{'), "{text}");
    }

    #[test]
    fn text_without_the_placeholders_is_unchanged() {
        let sentences = Sentences::new("en", None, Retention::FromConnection);
        assert_eq!(sentences.fill("Read it."), "Read it.");
    }

    #[rstest]
    #[case("Kept: ${retention}. ${reading}", None)]
    #[case("costs $5 {really}", None)]
    #[case("${reading} ${retentions}.", Some("retentions"))]
    #[case("${READING}", Some("READING"))]
    #[case("${read", Some("read"))]
    fn placeholder_that_the_service_does_not_know_is_found(
        #[case] text: &str,
        #[case] unknown: Option<&str>,
    ) {
        assert_eq!(find_unknown_placeholder(text).as_deref(), unknown);
    }

    #[test]
    fn each_interval_has_its_own_sentence() {
        for words in &ALL {
            let sentence = |sync: &Option<SyncInterval>| {
                Sentences::new(words.locale, *sync, Retention::FromConnection).reading
            };
            let texts: std::collections::BTreeSet<_> = INTERVALS.iter().map(sentence).collect();
            assert_eq!(texts.len(), INTERVALS.len(), "{}", words.locale);
        }
    }

    #[test]
    fn text_says_what_the_60_days_count_from() {
        for words in &ALL {
            let [connection, reading] = [Retention::FromConnection, Retention::FromLastSync]
                .map(|it| Sentences::new(words.locale, None, it).fill("${retention}"));
            assert!(connection != reading, "{}", words.locale);
            assert!(connection.contains("60") && reading.contains("60"), "{}", words.locale);
        }
        let english = Sentences::new("en", None, Retention::FromLastSync);
        assert_eq!(
            english.fill("${retention}"),
            "The information is deleted 60 days after it was last read."
        );
    }
}
