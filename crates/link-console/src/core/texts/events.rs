//! The meanings of the types of events, in each language.

use link_types::event::EventType;

use super::Language;

/// Returns what a type of event means.
pub const fn meaning(event_type: EventType, language: Language) -> &'static str {
    let [english, spanish] = texts(event_type);
    match language {
        Language::English => english,
        Language::Spanish => spanish,
    }
}

macro_rules! texts {
    ({$($event:ident = $word:literal as $Data:ident $english:literal $spanish:literal)*}) => {
        const fn texts(event_type: EventType) -> [&'static str; 2] {
            match event_type {
                EventType::UserCreated => {
                    ["A user and their link token were created.", "Se crearon un usuario y su token de enlace."]
                }
                EventType::TaskStarted => [
                    "Reading data from an account or archive started.",
                    "Comenzó la lectura de datos de una cuenta o un archivo.",
                ],
                EventType::TaskFinished => [
                    "Reading data from an account or archive finished.",
                    "Terminó la lectura de datos de una cuenta o un archivo.",
                ],
                EventType::AccountCreated => {
                    ["A user started linking an account.", "Un usuario comenzó a vincular una cuenta."]
                }
                EventType::AccountConnected => ["A user connected an account.", "Un usuario conectó una cuenta."],
                EventType::AccountDisconnected => ["An account was disconnected.", "Una cuenta fue desconectada."],
                EventType::AccountFailed => ["Linking an account failed.", "Falló la vinculación de una cuenta."],
                EventType::AccountSyncTaskFinished => {
                    ["A sync task of an account finished.", "Terminó una sincronización de una cuenta."]
                }
                EventType::ArchiveStarted => ["A user uploaded files.", "Un usuario subió archivos."],
                EventType::ArchiveAnalyzed => ["An archive was analyzed.", "Se analizó un archivo."],
                EventType::ArchiveRevoked => ["An archive ended.", "Un archivo terminó."],
                EventType::ArchiveFailed => {
                    ["Creating or analyzing an archive failed.", "Falló la creación o el análisis de un archivo."]
                }
                EventType::InviteInvited => ["An invitation was sent.", "Se envió una invitación."],
                EventType::InviteLinked => {
                    ["An invited user linked an account.", "Un usuario invitado vinculó una cuenta."]
                }
                EventType::LinkSessionCompleted => [
                    "A person linked an account or uploaded documents by a hosted link.",
                    "Una persona vinculó una cuenta o subió documentos con un enlace alojado.",
                ],
                EventType::LinkSessionClosed => [
                    "A person left the page of a hosted link before that.",
                    "Una persona salió antes de la página de un enlace alojado.",
                ],
                EventType::LinkSessionExpired => [
                    "A hosted link was not opened or finished in time.",
                    "Un enlace alojado no se abrió o no se terminó a tiempo.",
                ],
                $(EventType::$event => [$english, $spanish],)*
                EventType::RecordCreated => ["A record was created.", "Se creó un registro."],
                EventType::RecordCompleted => {
                    ["Processing of a record finished.", "Terminó el procesamiento de un registro."]
                }
                EventType::VerificationStarted => ["A verification was requested.", "Se solicitó una verificación."],
                EventType::VerificationCompleted => ["A verification finished.", "Terminó una verificación."],
                EventType::WebhookDisabled => [
                    "A webhook was disabled: its attempts failed for 5 days.",
                    "Se desactivó un webhook: sus intentos fallaron durante 5 días.",
                ],
            }
        }
    };
}

link_types::data_points!(events texts);
