//! The texts of support's pages.

use link_types::console::people::FoundBy;

use super::words::texts;

texts! {
    /// A text of support's pages.
    PeopleText;
    PeopleLead = "Find a person by your reference, by an id (user, account, archive or invitation), or by the e-mail address of an invitation.", "Encuentre a una persona por su referencia, por un identificador (usuario, cuenta, archivo o invitación) o por el correo de una invitación.";
    Find = "Reference, id or e-mail address", "Referencia, identificador o correo";
    FindHelp = "The exact text. Searches are in the audit log, without the text.", "El texto exacto. Las búsquedas quedan en el registro de auditoría, sin el texto.";
    FindButton = "Find", "Buscar";
    FoundTitle = "Found", "Encontrado";
    NotFound = "No one was found. The text must be exact. A person who was erased cannot be found.", "No se encontró a nadie. El texto debe ser exacto. No se puede encontrar a una persona que se borró.";
    FoundColumn = "Found by", "Encontrada por";
    ByUser = "Id of the user", "Identificador del usuario";
    ByReference = "Reference", "Referencia";
    BySubject = "Id", "Identificador";
    ByAddress = "Address of an invitation", "Correo de una invitación";
    NoReference = "Without a reference", "Sin referencia";
    UserId = "User id", "Identificador del usuario";
    Reference = "Reference", "Referencia";
    Accounts = "Accounts", "Cuentas";
    NoAccounts = "No accounts.", "No hay cuentas.";
    Provider = "Provider", "Proveedor";
    Sync = "Sync", "Actualización";
    Documents = "Documents", "Documentos";
    NoDocuments = "No documents.", "No hay documentos.";
    Invitations = "Invitations", "Invitaciones";
    NoInvitations = "No invitations.", "No hay invitaciones.";
    Timeline = "Timeline", "Cronología";
    TimelineNote = "Newest first. Without the data of the person.", "Lo más reciente primero. Sin los datos de la persona.";
    NoTimeline = "Nothing has happened yet.", "Todavía no ha pasado nada.";
    Older = "Older entries are not shown.", "Las entradas más antiguas no se muestran.";
    SessionStarted = "The widget was opened", "Se abrió el widget";
    LastUsed = "last used {}", "último uso {}";
    Step = "Step in the widget", "Paso en el widget";
    EventEmitted = "Event", "Evento";
    NoDeliveries = "no webhook receives it", "ningún webhook lo recibe";
    AttemptsMade = "Attempts: {}", "Intentos: {}";
    SendAgain = "Send again", "Enviar de nuevo";
    SendAgainOf = "Send again: {}", "Enviar de nuevo: {}";
    Revoke = "Revoke", "Revocar";
    RevokeOf = "Revoke {}", "Revocar {}";
    MailFailed = "The last mail was not sent: {}", "El último correo no se envió: {}";
    AskAccount = "Revoke this account?", "¿Revocar esta cuenta?";
    AskAccountText = "Its data is erased, and it is not read again. Your systems get ACCOUNT_DISCONNECTED.", "Sus datos se borran y no se vuelve a leer. Sus sistemas reciben ACCOUNT_DISCONNECTED.";
    AskArchive = "Revoke these documents?", "¿Revocar estos documentos?";
    AskArchiveText = "The files and the data from them are erased.", "Se borran los archivos y los datos que se obtuvieron de ellos.";
    AskInvite = "Revoke this invitation?", "¿Revocar esta invitación?";
    AskInviteText = "Its link stops working, and the name and the address are erased.", "Su enlace deja de funcionar, y se borran el nombre y la dirección.";
    Erase = "Erase the person", "Borrar a la persona";
    AskErase = "Erase this person?", "¿Borrar a esta persona?";
    AskEraseText = "Everything that belongs to the person is erased permanently: accounts, documents, invitations, forms and the user. This cannot be undone.", "Se borra para siempre todo lo de la persona: cuentas, documentos, invitaciones, formularios y el usuario. No se puede deshacer.";
    BackToSearch = "Back to the search", "Volver a la búsqueda";
}

impl PeopleText {
    /// Returns the name of the property that a search found.
    pub const fn of_property(found_by: FoundBy) -> Self {
        match found_by {
            FoundBy::User => Self::ByUser,
            FoundBy::Reference => Self::ByReference,
            FoundBy::Subject => Self::BySubject,
            FoundBy::Address => Self::ByAddress,
        }
    }
}
