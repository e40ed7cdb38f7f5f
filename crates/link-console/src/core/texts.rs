//! The texts of the portal, in each language next to each other, so that none can be missing.

use link_types::console::Role;

pub mod codes;
pub mod events;

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
    /// Returns what a role allows in the portal as it is.
    pub const fn for_role(role: Role) -> Self {
        match role {
            Role::Owner => Self::OwnerMeans,
            Role::Developer => Self::DeveloperMeans,
            Role::Support => Self::SupportMeans,
            Role::Viewer => Self::ReaderMeans,
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
    Source = "From", "Desde dónde";
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
    OwnerMeans = "Manages members, keys and webhooks in both environments", "Administra a los miembros, las claves y los webhooks de ambos entornos";
    DeveloperMeans = "Manages the keys and webhooks of the sandbox. Sees those of production without their secrets", "Administra las claves y los webhooks de sandbox. Ve los de producción, sin sus secretos";
    ReaderMeans = "Sees members, keys, webhooks and deliveries, without secrets. Changes nothing", "Ve a los miembros, las claves, los webhooks y las entregas, sin secretos. No cambia nada";
    SupportMeans = "Sees members, keys, webhooks and deliveries, without secrets. Sends deliveries again", "Ve a los miembros, las claves, los webhooks y las entregas, sin secretos. Reenvía entregas";
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
    Webhooks = "Webhooks", "Webhooks";
    Webhook = "Webhook", "Webhook";
    Events = "Events", "Eventos";
    Logins = "Test logins", "Usuarios de prueba";
    Clock = "Sandbox clock", "Reloj de sandbox";
    Requests = "Requests", "Solicitudes";
    Errors = "Errors", "Errores";
    Organization = "Organization", "Organización";
    Menu = "Menu", "Menú";
    SandboxWebhooks = "Sandbox webhooks", "Webhooks de sandbox";
    ProductionWebhooks = "Production webhooks", "Webhooks de producción";
    SandboxRequests = "Sandbox requests", "Solicitudes de sandbox";
    ProductionRequests = "Production requests", "Solicitudes de producción";
    SandboxErrors = "Sandbox errors", "Errores de sandbox";
    ProductionErrors = "Production errors", "Errores de producción";
    Refresh = "Refresh", "Actualizar";
    ShowMore = "Show more", "Mostrar más";
    Close = "Close", "Cerrar";
    Cancel = "Cancel", "Cancelar";
    Any = "Any", "Cualquiera";
    None = "None", "Ninguno";
    WebhooksText = "The service posts events to these addresses, signed with the secret of each.", "El servicio envía eventos a estas direcciones, firmados con el secreto de cada una.";
    NoWebhooks = "No webhooks yet. Register the address of your receiver.", "Aún no hay webhooks. Registra la dirección de tu receptor.";
    NoWebhooksReader = "No webhooks yet.", "Aún no hay webhooks.";
    Health = "Last deliveries", "Últimas entregas";
    HealthCounts = "{} accepted", "{} aceptadas";
    NoDeliveriesYet = "None yet", "Aún ninguna";
    LastSuccess = "Last success", "Último éxito";
    LastFailure = "Last failure", "Último fallo";
    WebhookActive = "Active", "Activo";
    Failing = "Failing", "Con fallos";
    Paused = "Paused", "En pausa";
    Disabled = "Disabled", "Desactivado";
    NewWebhook = "Register a webhook", "Registrar un webhook";
    Url = "Address", "Dirección";
    UrlHelp = "Public and https. The sandbox also accepts http://localhost.", "Pública y con https. La sandbox también acepta http://localhost.";
    UrlHelpProduction = "Public and https.", "Pública y con https.";
    EventsToSend = "Events to send", "Eventos que enviar";
    AllEvents = "All events", "Todos los eventos";
    SomeEvents = "Only these", "Solo estos";
    Register = "Register", "Registrar";
    Registering = "Registering…", "Registrando…";
    SecretCreated = "Save the secret of {}", "Guarda el secreto de {}";
    SecretCreatedText = "It is shown only this once. Your receiver verifies Service-Signature with it. After a rotation, the old secret also signs for 24 hours.", "Se muestra solo esta vez. Tu receptor verifica Service-Signature con él. Tras una rotación, el secreto anterior también firma durante 24 horas.";
    SigningSecret = "Signing secret", "Secreto de firma";
    SendPing = "Send a ping", "Enviar un ping";
    PingAccepted = "The receiver accepted the ping.", "El receptor aceptó el ping.";
    PingRefused = "The receiver did not accept the ping.", "El receptor no aceptó el ping.";
    Sending = "Sending…", "Enviando…";
    RotateSecret = "Rotate secret", "Rotar secreto";
    RotationUntil = "A new secret takes over at the latest on {}.", "Un secreto nuevo lo reemplaza a más tardar el {}.";
    Pause = "Pause", "Pausar";
    PauseNamed = "Pause {}", "Pausar {}";
    PauseText = "Pending deliveries are cancelled. Nothing is sent until you resume it.", "Las entregas pendientes se cancelan. No se envía nada hasta que lo reanudes.";
    PauseWebhook = "Pause webhook", "Pausar webhook";
    Resume = "Resume", "Reanudar";
    Delete = "Delete", "Eliminar";
    DeleteNamed = "Delete {}", "Eliminar {}";
    DeleteWebhookText = "Pending deliveries are cancelled, and its log of deliveries is no longer shown.", "Las entregas pendientes se cancelan y su historial ya no se muestra.";
    DeleteWebhook = "Delete webhook", "Eliminar webhook";
    WebhookDeleted = "The webhook is deleted.", "El webhook fue eliminado.";
    WebhookPaused = "The webhook is paused.", "El webhook está en pausa.";
    WebhookResumed = "The webhook receives events again.", "El webhook vuelve a recibir eventos.";
    BackToWebhooks = "All webhooks", "Todos los webhooks";
    Deliveries = "Deliveries", "Entregas";
    Delivery = "Delivery", "Entrega";
    NoDeliveries = "No deliveries yet. Fire an event in the sandbox, or wait for one.", "Aún no hay entregas. Dispara un evento en la sandbox o espera uno.";
    NoMatch = "Nothing passes the filters.", "Nada pasa los filtros.";
    Event = "Event", "Evento";
    From = "From (UTC)", "Desde (UTC)";
    Until = "Until (UTC)", "Hasta (UTC)";
    Attempts = "Attempts", "Intentos";
    Attempt = "Attempt {}", "Intento {}";
    NoAttempts = "No attempt yet.", "Aún sin intentos.";
    NextAttempt = "Next attempt", "Siguiente intento";
    Pending = "Pending", "Pendiente";
    Delivered = "Delivered", "Entregada";
    Exhausted = "Failed", "Fallida";
    Cancelled = "Cancelled", "Cancelada";
    OpenDelivery = "Details of {}", "Detalles de {}";
    Details = "Details", "Detalles";
    Duration = "Duration", "Duración";
    ResponseBody = "Response", "Respuesta";
    NoResponseBody = "The response had no body.", "La respuesta no tenía cuerpo.";
    EventBody = "Body of the event", "Cuerpo del evento";
    EventBodyNote = "As it was sent, except that the payload of a webhook with includePayload is left out.", "Como se envió, salvo que se omite el payload de un webhook con includePayload.";
    EventBodyDenied = "Your role does not include the bodies of events in production.", "Tu rol no incluye los cuerpos de eventos en producción.";
    Resend = "Send again", "Enviar de nuevo";
    DeliveryResent = "The delivery is sent again.", "La entrega se envía de nuevo.";
    CopyCurl = "As a curl command", "Como comando curl";
    EventId = "Event id", "Id del evento";
    DeliveryId = "Delivery id", "Id de la entrega";
    VerifyTitle = "Verify a signature", "Verificar una firma";
    VerifyText = "Your browser computes the signature. The secret is not sent.", "Tu navegador calcula la firma. El secreto no se envía.";
    Secret = "Secret", "Secreto";
    SignatureHeader = "Service-Signature", "Service-Signature";
    ReceivedBody = "Received body", "Cuerpo recibido";
    Verify = "Verify", "Verificar";
    SignatureValid = "The signature is valid.", "La firma es válida.";
    SignatureOtherHeader = "This is the header webhook-signature. Paste Service-Signature.", "Este es el encabezado webhook-signature. Pega Service-Signature.";
    SignatureMalformed = "A signature has 128 hex digits: HMAC with SHA-512, written in hex.", "Una firma tiene 128 dígitos hexadecimales: HMAC con SHA-512, escrito en hexadecimal.";
    SignatureUppercase = "The digits are right, but in uppercase. The service sends lowercase.", "Los dígitos son correctos, pero en mayúsculas. El servicio los envía en minúsculas.";
    SignatureTrimmed = "It is the signature of this body without the white space at its ends. Sign the exact bytes.", "Es la firma de este cuerpo sin los espacios de sus extremos. Firma los bytes exactos.";
    SignatureLineBreak = "It is the signature of this body with a line break at its end. Sign the exact bytes.", "Es la firma de este cuerpo con un salto de línea al final. Firma los bytes exactos.";
    SignatureDifferent = "It is not valid: another secret, or another body. Sign the exact bytes, before any JSON parser reads them.", "No es válida: otro secreto u otro cuerpo. Firma los bytes exactos, antes de que los lea un analizador de JSON.";
    SignatureNotComputed = "The signature cannot be computed. Enter the secret.", "La firma no se puede calcular. Escribe el secreto.";
    EventsText = "Choose a type to see an example, and to emit a test event. Test events are stored, listed and delivered like others.", "Elige un tipo para ver un ejemplo y emitir un evento de prueba. Los eventos de prueba se guardan, se listan y se entregan como los demás.";
    EventType = "Type", "Tipo";
    Meaning = "Meaning", "Significado";
    Example = "Example", "Ejemplo";
    ExampleOf = "Example of {}", "Ejemplo de {}";
    ShowExampleOf = "Show an example of {}", "Mostrar un ejemplo de {}";
    Fire = "Fire in the sandbox", "Disparar en la sandbox";
    Firing = "Firing…", "Disparando…";
    Fired = "The event is emitted.", "El evento fue emitido.";
    SeeDeliveries = "See the webhooks that receive it", "Ver los webhooks que lo reciben";
    LoginsText = "Type these logins in the widget, at any provider of the sandbox.", "Escribe estos usuarios en el widget, en cualquier proveedor de la sandbox.";
    PasswordOfAll = "Password of all published logins:", "Contraseña de todos los usuarios publicados:";
    PublishedLogins = "Published logins", "Usuarios publicados";
    OwnLogins = "Your own logins", "Tus propios usuarios";
    NoOwnLogins = "None yet. An own login has a challenge or an error that you choose.", "Aún ninguno. Un usuario propio tiene un desafío o un error que tú eliges.";
    Login = "Login", "Usuario";
    Password = "Password", "Contraseña";
    Answers = "Answers", "Respuestas";
    Connects = "connects", "conecta";
    NewLogin = "New login", "Nuevo usuario";
    LoginHelp = "Lowercase letters, digits, dots, underscores and hyphens. The password is pass.", "Letras minúsculas, dígitos, puntos, guiones bajos y guiones. La contraseña es pass.";
    Challenge = "Challenge", "Desafío";
    ErrorAtTheEnd = "Error", "Error";
    CreateLogin = "Create login", "Crear usuario";
    LoginCreated = "The login is created.", "El usuario fue creado.";
    LoginDeleted = "The login is deleted.", "El usuario fue eliminado.";
    DeleteLogin = "Delete login", "Eliminar usuario";
    DeleteLoginText = "Accounts that were linked with it stay.", "Las cuentas que se vincularon con él se conservan.";
    ClockText = "Advance the clock to see syncs, retries and expiries. It never goes back.", "Adelanta el reloj para ver sincronizaciones, reintentos y vencimientos. Nunca retrocede.";
    SandboxTime = "Time in the sandbox", "Hora de la sandbox";
    RealTime = "Real time", "Hora real";
    AdvanceBy = "Advance by", "Adelantar";
    OneHour = "1 hour", "1 hora";
    OneDay = "1 day", "1 día";
    SevenDays = "7 days", "7 días";
    ThirtyDays = "30 days", "30 días";
    Stop = "Stop", "Detener";
    ClockMoving = "The clock is moving to {}.", "El reloj avanza hasta el {}.";
    ClockFinished = "The last advance is finished.", "El último avance terminó.";
    ClockStopped = "The last advance was stopped.", "El último avance se detuvo.";
    Stops = "It stopped {} times for work that was due.", "Se detuvo {} veces por trabajo pendiente.";
    RequestsText = "The last 500 requests with API keys and from the widget to this process of the service, since {}. Several processes have separate lists. Only the route is kept: no ids, queries or bodies.", "Las últimas 500 solicitudes con claves de API y del widget a este proceso del servicio, desde el {}. Cada proceso tiene su propia lista. Solo se guarda la ruta: sin identificadores, consultas ni cuerpos.";
    NoRequests = "No requests yet.", "Aún no hay solicitudes.";
    RequestId = "Request id", "Id de la solicitud";
    Method = "Method", "Método";
    Route = "Route", "Ruta";
    StatusCode = "Status", "Estado";
    Code = "Code", "Código";
    First100 = "These are the first 100. Use the filters to see others.", "Estas son las primeras 100. Usa los filtros para ver otras.";
    ErrorsText = "The errors of the last 500 requests to this process of the service, since {}, by code and endpoint.", "Los errores de las últimas 500 solicitudes a este proceso del servicio, desde el {}, por código y operación.";
    NoErrors = "No errors.", "Sin errores.";
    Count = "Requests", "Solicitudes";
    LastSeen = "Last", "Última";
    SeeRequest = "See the last request", "Ver la última solicitud";
    RegisterStep = "Register a webhook", "Registrar un webhook";
    RegisterStepText = "The service notifies your server when data arrives.", "El servicio avisa a tu servidor cuando llegan datos.";
    FireStep = "Fire a test event", "Disparar un evento de prueba";
    FireStepText = "Then see the delivery and its attempts.", "Después ve la entrega y sus intentos.";
    Passkeys = "Passkeys", "Llaves de acceso";
    PasskeysText = "A passkey signs you in with your fingerprint, face or screen lock. It also confirms acts that give access.", "Una llave de acceso inicia tu sesión con tu huella, tu rostro o el bloqueo de pantalla. También confirma los actos que dan acceso.";
    PasskeysNeedHost = "Browsers create passkeys only for a host name, and this portal has an IP address.", "Los navegadores crean llaves de acceso solo para un nombre de host, y este portal tiene una dirección IP.";
    AddPasskey = "Add a passkey", "Agregar una llave de acceso";
    PasskeyWaiting = "Follow your browser…", "Sigue a tu navegador…";
    NoPasskeys = "No passkeys yet. With one, you can sign in without a one-time address.", "Aún no hay llaves de acceso. Con una puedes iniciar sesión sin una dirección de un solo uso.";
    PasskeyFrom = "Created with", "Creada con";
    PasskeyCreated = "Created", "Creada";
    NeverUsed = "Not yet", "Aún no";
    PasskeyAdded = "The passkey is added.", "La llave de acceso fue agregada.";
    PasskeyRemoved = "The passkey is removed.", "La llave de acceso fue quitada.";
    RemovePasskey = "Remove passkey", "Quitar llave de acceso";
    RemovePasskeyNamed = "Remove passkey: {}", "Quitar llave de acceso: {}";
    RemovePasskeyText = "It no longer signs you in here. Remove it from your device too.", "Ya no inicia tu sesión aquí. Quítala también de tu dispositivo.";
    PasskeySignIn = "Sign in with a passkey", "Iniciar sesión con una llave de acceso";
    SignedOutPasskey = "Use a passkey that you added here.", "Usa una llave de acceso que hayas agregado aquí.";
    PasskeyUnsupported = "This browser cannot use passkeys on this page. Use a current browser.", "Este navegador no puede usar llaves de acceso en esta página. Usa un navegador actual.";
    PasskeyExists = "This device already has a passkey of yours.", "Este dispositivo ya tiene una llave de acceso tuya.";
    PasskeyCancelled = "No passkey was used: it was cancelled, took too long, or none fits. Try again.", "No se usó ninguna llave de acceso: se canceló, tardó demasiado o ninguna corresponde. Intenta de nuevo.";
    ConfirmTitle = "Confirm that it is you", "Confirma que eres tú";
    ConfirmText = "This changes who has access. You signed in more than 10 minutes ago.", "Esto cambia quién tiene acceso. Iniciaste sesión hace más de 10 minutos.";
    ConfirmWithout = "Without a passkey, sign out and sign in with a new one-time address.", "Sin una llave de acceso, cierra la sesión e iníciala con una nueva dirección de un solo uso.";
    UsePasskey = "Use a passkey", "Usar una llave de acceso";
    PasskeyStep = "Add a passkey", "Agregar una llave de acceso";
    PasskeyStepText = "Then you need no one-time address to sign in.", "Así no necesitas una dirección de un solo uso para iniciar sesión.";
}
