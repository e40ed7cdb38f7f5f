//! The texts of the pages of the funnel and the usage.

use link_types::console::funnel::FunnelStep;

use super::words::texts;

texts! {
    /// A text of the pages of the funnel and the usage.
    InsightText;
    FunnelLead = "How many openings of the widget reached each step. An opening counts once for a step.", "Cuántas aperturas del widget llegaron a cada paso. Una apertura cuenta una vez por paso.";
    OneProvider = "Provider", "Proveedor";
    AnyTemplate = "All templates", "Todas las plantillas";
    AnyProvider = "All providers", "Todos los proveedores";
    NoOpenings = "No openings of the widget in these days.", "No hubo aperturas del widget en estos días.";
    Steps = "Steps", "Pasos";
    Step = "Step", "Paso";
    Openings = "Openings", "Aperturas";
    Share = "Share", "Porcentaje";
    Stopped = "Stopped here", "Se detuvieron aquí";
    ByDay = "By day (UTC)", "Por día (UTC)";
    Day = "Day", "Día";
    ShowTable = "Show as table", "Mostrar como tabla";
    Providers = "Providers", "Proveedores";
    LoginErrors = "Login errors", "Errores de inicio de sesión";
    ErrorCode = "Code", "Código";
    Shown = "Times shown", "Veces mostrado";
    Opened = "Opened", "Abierto";
    ConsentGiven = "Consent given", "Consentimiento dado";
    ProviderChosen = "Provider chosen", "Proveedor elegido";
    LoginSubmitted = "Login submitted", "Acceso enviado";
    Connected = "Connected", "Conectado";
    Challenged = "Challenge shown", "Verificación mostrada";
    FilesSubmitted = "Documents submitted", "Documentos enviados";
    Failed = "Saw an error", "Vieron un error";
    CouldNotFind = "Could not find", "No encontraron";
    UsageLead = "What is charged in a month (UTC). Only production is charged.", "Lo que se cobra en un mes (UTC). Solo se cobra producción.";
    Month = "Month", "Mes";
    Kind = "Type", "Tipo";
    Charged = "Events", "Eventos";
    Total = "Total", "Total";
    NoUsage = "No chargeable events in this month.", "No hubo eventos cobrables en este mes.";
}

impl From<FunnelStep> for InsightText {
    fn from(step: FunnelStep) -> Self {
        match step {
            FunnelStep::Opened => Self::Opened,
            FunnelStep::ConsentGiven => Self::ConsentGiven,
            FunnelStep::ProviderChosen => Self::ProviderChosen,
            FunnelStep::LoginSubmitted => Self::LoginSubmitted,
            FunnelStep::Connected => Self::Connected,
            FunnelStep::Challenged => Self::Challenged,
            FunnelStep::FilesSubmitted => Self::FilesSubmitted,
            FunnelStep::Failed => Self::Failed,
            FunnelStep::CouldNotFind => Self::CouldNotFind,
        }
    }
}
