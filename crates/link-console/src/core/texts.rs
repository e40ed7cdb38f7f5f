//! The texts of the portal, in each language next to each other, so that none can be missing.

use link_types::console::Role;

/// A language of the portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Spanish, as in Mexico.
    Spanish,
}

impl Language {
    /// Returns the language for a browser's preferred one.
    pub fn from_tag(tag: &str) -> Self {
        if tag == "es" || tag.starts_with("es-") { Self::Spanish } else { Self::English }
    }

    /// Returns the tag of the language.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es-MX",
        }
    }

    /// Returns a text with a value in place of `{}`.
    pub fn fill(self, text: Text, value: &str) -> String {
        text.in_language(self).replace("{}", value)
    }
}

macro_rules! texts {
    ($( $name:ident = $english:literal, $spanish:literal; )+) => {
        /// A text of the portal.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the English text is next to each name")]
        pub enum Text { $( $name ),+ }

        impl Text {
            /// Returns the text in a language.
            pub const fn in_language(self, language: Language) -> &'static str {
                match (self, language) {
                    $( (Self::$name, Language::English) => $english, (Self::$name, Language::Spanish) => $spanish, )+
                }
            }
        }
    };
}

impl Text {
    /// Returns what a role allows in the portal as it is. The pages for support do not exist yet.
    pub const fn for_role(role: Role) -> Self {
        match role {
            Role::Owner => Self::OwnerMeans,
            Role::Developer => Self::DeveloperMeans,
            Role::Support | Role::Viewer => Self::ReaderMeans,
        }
    }
}

texts! {
    Portal = "Developer portal", "Portal para desarrolladores";
    SkipToContent = "Skip to content", "Saltar al contenido";
    Navigation = "Pages", "Páginas";
    Overview = "Overview", "Resumen";
    Keys = "API keys", "Claves de API";
    SandboxKeys = "Sandbox keys", "Claves de sandbox";
    ProductionKeys = "Production keys", "Claves de producción";
    Members = "Members", "Miembros";
    Audit = "Audit log", "Registro de auditoría";
    AuditText = "What servers, members and the operator did, also if it was denied. An event appears about a second after the act.", "Lo que hicieron los servidores, los miembros y el operador, aunque se haya denegado. Cada acto aparece más o menos un segundo después.";
    Environment = "Environment", "Entorno";
    Act = "Act", "Acto";
    AnyAct = "All acts", "Todos los actos";
    Actor = "By", "Por";
    ActorHelp = "Id of a key or member, or OPERATOR.", "Identificador de una clave o un miembro, u OPERATOR.";
    FromDay = "From (UTC)", "Desde (UTC)";
    UntilDay = "Until (UTC)", "Hasta (UTC)";
    Time = "Time", "Hora";
    Outcome = "Outcome", "Resultado";
    OutcomeDone = "Done", "Hecho";
    OutcomeDenied = "Denied", "Denegado";
    OutcomeFailed = "Failed", "Falló";
    From = "From", "Desde dónde";
    Operator = "Operator", "Operador";
    KeyNamed = "Key {}", "Clave {}";
    NoEvents = "No events with these filters.", "No hay actos con estos filtros.";
    LoadMore = "Load more", "Cargar más";
    ExportCsv = "Export CSV", "Exportar CSV";
    ExportJson = "Export JSON", "Exportar JSON";
    Sessions = "Sessions", "Sesiones";
    Sandbox = "Sandbox", "Sandbox";
    Production = "Production", "Producción";
    SandboxMeans = "Invented data. Nothing here reaches a real person.", "Datos inventados. Nada de aquí llega a una persona real.";
    ProductionMeans = "Real people and their data.", "Personas reales y sus datos.";
    SignOut = "Sign out", "Cerrar sesión";
    Retry = "Try again", "Intentar de nuevo";
    Loading = "Loading…", "Cargando…";
    EnterTitle = "Sign in", "Iniciar sesión";
    EnterText = "This address signs you in once. Then it stops working.", "Esta dirección inicia tu sesión una sola vez. Después deja de funcionar.";
    EnterButton = "Sign in", "Iniciar sesión";
    EnterFailed = "This address was already used, or it has expired. Ask an owner for a new one.", "Esta dirección ya se usó o venció. Pide una nueva a un propietario.";
    EnterWithoutCode = "The address is incomplete. Open the whole address that you received.", "La dirección está incompleta. Abre la dirección completa que recibiste.";
    SignedOutTitle = "You are signed out", "Tu sesión está cerrada";
    SignedOutText = "Open a one-time address in this browser, then try again.", "Abre una dirección de un solo uso en este navegador e intenta de nuevo.";
    TypedStays = "What you typed is still here.", "Lo que escribiste sigue aquí.";
    SignedOutHelp = "An owner of your organization creates one under Members. If no owner can sign in, the operator runs:", "Un propietario de tu organización la crea en Miembros. Si ningún propietario puede entrar, el operador ejecuta:";
    MissingTitle = "Page not found", "Página no encontrada";
    MissingText = "The portal has no page at this address.", "El portal no tiene una página en esta dirección.";
    ToOverview = "Go to the overview", "Ir al resumen";
    DeniedTitle = "Your role does not include this", "Tu rol no incluye esto";
    DeniedText = "Ask an owner of your organization if you need it.", "Pídelo a un propietario de tu organización si lo necesitas.";
    FailedTitle = "This could not be loaded", "No se pudo cargar";
    Offline = "The service could not be reached. Check your connection.", "No se pudo contactar al servicio. Revisa tu conexión.";
    Busy = "Too many requests. Try again in {} seconds.", "Demasiadas solicitudes. Intenta de nuevo en {} segundos.";
    Broken = "The service could not handle the request. Give this id to its operator: {}", "El servicio no pudo atender la solicitud. Da este identificador al operador: {}";
    Gone = "It no longer exists. Load the page again.", "Ya no existe. Carga la página de nuevo.";
    Denied = "Your role does not include this.", "Tu rol no incluye esto.";
    CheckFields = "Check the marked fields.", "Revisa los campos marcados.";
    Welcome = "Welcome, {}", "Te damos la bienvenida, {}";
    YourRole = "Your role", "Tu rol";
    BaseUrl = "Base URL", "URL base";
    NextSteps = "Next steps", "Siguientes pasos";
    CreateKeyStep = "Create a sandbox key", "Crear una clave de sandbox";
    CreateKeyStepText = "Your server sends it with each request.", "Tu servidor la envía con cada solicitud.";
    InviteStep = "Invite your team", "Invitar a tu equipo";
    InviteStepText = "Each member has a role: owner, developer, support or viewer.", "Cada miembro tiene un rol: propietario, desarrollador, soporte o lector.";
    DocsStep = "Read the reference", "Leer la referencia";
    DocsStepText = "Every endpoint, with examples.", "Cada operación, con ejemplos.";
    SeeKeys = "See keys", "Ver claves";
    Name = "Name", "Nombre";
    Created = "Created", "Creada";
    Status = "Status", "Estado";
    Action = "Action", "Acción";
    Access = "Access", "Acceso";
    FullAccess = "Everything", "Todo";
    ReadAccess = "Read only", "Solo lectura";
    WebhookAccess = "Webhooks and events only", "Solo webhooks y eventos";
    ReadAndWebhookAccess = "Read, and manage webhooks", "Lectura y administración de webhooks";
    AccessHelp = "Give a program only the access that it needs.", "Da a cada programa solo el acceso que necesita.";
    Expires = "Expires", "Vence";
    Never = "Never", "Nunca";
    InDays = "In {} days", "En {} días";
    Expired = "Expired", "Vencida";
    Rotate = "Rotate", "Rotar";
    RotateNamed = "Rotate {}", "Rotar {}";
    RotateText = "Creates a successor with the same name and access. The present key works until its end: change your program before.", "Crea una sucesora con el mismo nombre y acceso. La clave actual funciona hasta su fin: cambia tu programa antes.";
    RotateKey = "Create successor", "Crear sucesora";
    OldKeyEnds = "The present key ends", "La clave actual termina";
    AtOnce = "At once", "De inmediato";
    InOneHour = "In 1 hour", "En 1 hora";
    InOneDay = "In 24 hours", "En 24 horas";
    InOneWeek = "In 7 days", "En 7 días";
    Active = "Active", "Activa";
    Revoked = "Revoked", "Revocada";
    Unnamed = "Unnamed", "Sin nombre";
    NewKey = "New key", "Nueva clave";
    KeyNameHelp = "For example, the program that uses it.", "Por ejemplo, el programa que la usa.";
    CreateKey = "Create key", "Crear clave";
    Creating = "Creating…", "Creando…";
    NoKeys = "No keys yet. Your server needs one to send requests.", "Aún no hay claves. Tu servidor necesita una para enviar solicitudes.";
    NoKeysReader = "No keys yet.", "Aún no hay claves.";
    KeyCreated = "Save the secret of {} now", "Guarda ahora el secreto de {}";
    KeyCreatedText = "The secret is shown only this once. Send key and secret as user name and password of Basic authentication.", "El secreto se muestra solo esta vez. Envía la clave y el secreto como usuario y contraseña de la autenticación Basic.";
    ApiKey = "Key", "Clave";
    ApiSecret = "Secret", "Secreto";
    Copy = "Copy", "Copiar";
    Copied = "Copied", "Copiado";
    Stored = "I have saved it", "Ya lo guardé";
    Revoke = "Revoke", "Revocar";
    RevokeNamed = "Revoke {}", "Revocar {}";
    RevokeText = "Programs that use it are refused at once. This cannot be undone.", "Los programas que la usan serán rechazados de inmediato. No se puede deshacer.";
    TypeToConfirm = "Type {} to confirm", "Escribe {} para confirmar";
    RevokeKey = "Revoke key", "Revocar clave";
    Keep = "Keep it", "Conservar";
    KeyRevoked = "The key is revoked.", "La clave está revocada.";
    Member = "Member", "Miembro";
    Role = "Role", "Rol";
    RoleOf = "Role of {}", "Rol de {}";
    Owner = "Owner", "Propietario";
    Developer = "Developer", "Desarrollador";
    Support = "Support", "Soporte";
    Viewer = "Viewer", "Lector";
    OwnerMeans = "Manages members, and keys in both environments", "Administra a los miembros y las claves de ambos entornos";
    DeveloperMeans = "Manages sandbox keys. Sees members, and production keys without their secrets", "Administra las claves de sandbox. Ve a los miembros y las claves de producción, sin sus secretos";
    ReaderMeans = "Sees members, and keys without their secrets. Changes nothing", "Ve a los miembros y las claves, sin sus secretos. No cambia nada";
    You = "You", "Tú";
    InviteMember = "Invite a member", "Invitar a un miembro";
    Invite = "Invite", "Invitar";
    Inviting = "Inviting…", "Invitando…";
    Email = "E-mail address", "Correo electrónico";
    NewAddress = "New address", "Nueva dirección";
    NewAddressFor = "New address for {}", "Nueva dirección para {}";
    Remove = "Remove", "Quitar";
    RemoveNamed = "Remove {}", "Quitar a {}";
    RemoveText = "Their sessions end at once. Keys that they created still work.", "Sus sesiones terminan de inmediato. Las claves que crearon siguen funcionando.";
    RemoveMember = "Remove member", "Quitar miembro";
    MemberRemoved = "The member is removed.", "El miembro fue quitado.";
    RoleChanged = "The role is changed.", "El rol cambió.";
    AddressTitle = "Send this address to {}", "Envía esta dirección a {}";
    AddressText = "It signs them in once, until {}. It is shown only now.", "Inicia su sesión una sola vez, hasta el {}. Se muestra solo ahora.";
    Address = "One-time address", "Dirección de un solo uso";
    Done = "Done", "Listo";
    Browser = "Browser", "Navegador";
    SignedIn = "Signed in", "Inicio de sesión";
    LastUsed = "Last used", "Último uso";
    ThisSession = "This session", "Esta sesión";
    EndSession = "End session", "Terminar sesión";
    EndNamed = "End session: {}", "Terminar sesión: {}";
    EndText = "That browser must sign in again.", "Ese navegador tendrá que iniciar sesión de nuevo.";
    SessionEnded = "The session has ended.", "La sesión terminó.";
    SessionsText = "A session ends after 12 hours without use, and after 7 days.", "Una sesión termina tras 12 horas sin uso y a los 7 días.";
}
