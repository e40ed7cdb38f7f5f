# Mexican Spanish. The keys are those of en.ftl, grouped by screen.
# Style: de tú, tranquila y exacta. Qué pasó y qué hacer después. Sin culpas ni signos de admiración.

### El marco de todas las pantallas

dialog-title = Conecta una cuenta
header-back = Atrás
header-close = Cerrar
header-sandbox = Pruebas
footer-password = { $company } nunca ve tu contraseña.
footer-consent = { $company } solo ve lo que aceptas compartir.
help-link = Obtener ayuda (se abre en otra pestaña)

### Botones de varias pantallas

action-retry = Intentar de nuevo
action-close = Cerrar
action-done = Listo
action-choose-another = Elegir otro proveedor
action-another-login = Usar otros datos de acceso
action-upload = Mejor subir un documento
action-more = Más

### Inicio

starting-title = Preparando todo
starting-text = Estamos abriendo una sesión segura. Toma solo un momento.
refused-title = No se puede abrir este enlace
refused-text = Ya no es válido. Cierra esta ventana y empieza de nuevo desde la página de donde vienes.

### Una solicitud que falló

slow-title = Está tardando más de lo normal
slow-text = Seguimos esperando una respuesta. Puedes seguir esperando, intentar de nuevo o cerrar esta ventana.
offline-title = Parece que no tienes conexión
offline-text = No podemos comunicarnos con el servicio. Revisa tu conexión a internet e intenta de nuevo.
unavailable-title = El servicio no responde
unavailable-text = El problema es nuestro y no se perdió nada de lo que escribiste. Espera un momento e intenta de nuevo.
trapped-title = Algo falló de nuestro lado
trapped-text = Intenta de nuevo para continuar donde estabas.
busy-title = Demasiados intentos seguidos

### Consentimiento

consent-title = Comparte tus datos con { $company }
consent-intro = { $company } usa Linchpin para leer los datos de una cuenta que tú eliges. Tú decides si los compartes.
consent-data-title = Qué se comparte
consent-data-text = Datos de identidad, empleo e ingresos, y los documentos que el proveedor tiene sobre ti.
consent-data-choice = Datos que el proveedor tiene sobre ti. En la página siguiente eliges cuáles.
consent-time-title = Con qué frecuencia y por cuánto tiempo
consent-time-once = Tus datos se leen una sola vez. Se borran 60 días después de la última vez que conectas tu cuenta.
consent-time-daily = Tus datos se leen ahora y, si el proveedor lo permite, otra vez cada día. Se borran 60 días después de la última vez que conectas tu cuenta.
consent-time-weekly = Tus datos se leen ahora y, si el proveedor lo permite, otra vez cada semana. Se borran 60 días después de la última vez que conectas tu cuenta.
consent-time-monthly = Tus datos se leen ahora y, si el proveedor lo permite, otra vez cada mes. Se borran 60 días después de la última vez que conectas tu cuenta.
consent-sync-once = Tus datos se leen una sola vez. Se borran 60 días después de la última vez que se leen.
consent-sync-daily = Tus datos se leen ahora y, si el proveedor lo permite, otra vez cada día. Se borran 60 días después de la última vez que se leen.
consent-sync-weekly = Tus datos se leen ahora y, si el proveedor lo permite, otra vez cada semana. Se borran 60 días después de la última vez que se leen.
consent-sync-monthly = Tus datos se leen ahora y, si el proveedor lo permite, otra vez cada mes. Se borran 60 días después de la última vez que se leen.
consent-private-title = Qué queda en privado
consent-private-text = Tu contraseña. Solo la recibe el proveedor que eliges; { $company } nunca la ve.
consent-stop-title = Cómo cancelarlo
consent-stop-text = Pide a { $company } que termine el acceso cuando quieras. Tus datos se borran entonces.
consent-version = Versión { $version }
consent-agree = Aceptar y continuar
consent-choose = Elegir qué compartir
consent-changed = Las condiciones cambiaron desde que las viste. Léelas otra vez.
consent-decline = Ahora no

### Choosing what to share

data-choice-title = Elige qué compartir con { $company }
data-choice-intro = Puedes rechazar todo lo que no se comparte siempre y aun así conectar tu cuenta. { $company } no recibe lo que rechazas.
data-choice-required = Siempre se comparte
data-choice-optional = Tú decides
data-choice-none = Solo compartes lo que siempre se comparte.
data-choice-some = También compartes lo que seleccionaste: { $chosen } de { $total }.
data-choice-uploads = Si subes un documento, se comparte el archivo completo.
data-identities = Nombre y datos de contacto
data-documents = Documentos y sus archivos
data-employments = Empleos
data-incomes = Pagos de nómina
data-transactions = Pagos y movimientos
data-contributions = Aportaciones a fondos
data-liabilities = Préstamos
data-eincomes = Estimaciones de tu ingreso mensual
data-ratings = Calificaciones en plataformas
data-links = Cuándo conectaste este proveedor
data-insights = Cifras calculadas con tus datos

### Proveedores

providers-title = Elige tu proveedor
providers-intro = ¿Dónde tienes la cuenta que quieres conectar?
providers-search = Buscar proveedores
providers-search-placeholder = Busca por nombre
providers-search-clear = Borrar la búsqueda
providers-tabs = Tipo de proveedor
providers-tab-all = Todos
providers-tab-government = Gobierno
providers-tab-employer = Empleadores
providers-tab-gig = Plataformas
providers-tab-payroll = Nómina
providers-kind-government = Servicio de gobierno
providers-kind-employer = Empleador
providers-kind-gig = Plataforma de trabajo
providers-kind-payroll = Proveedor de nómina
providers-list-top = Los más usados
providers-list-all = Todos los proveedores
providers-list-found = Proveedores que coinciden
providers-loading = Cargando proveedores
providers-found = { $count ->
    [0] No se encontraron proveedores
    [one] { $count } proveedor encontrado
   *[other] { $count } proveedores encontrados
}
providers-empty-title = Ningún proveedor coincide
providers-empty-text = Revisa la ortografía, o prueba con un nombre más corto u otro tipo de proveedor.
providers-show-all = Ver todos los proveedores
providers-none-title = Todavía no hay proveedores
providers-none-text = { $company } aún no tiene proveedores para conectar. Cierra esta ventana y avísale.
providers-more = Mostrar más
providers-missing = No encuentro el mío
provider-away = No disponible por ahora
provider-loading = Abriendo { $provider }
provider-missing-title = Este proveedor no se puede conectar aquí
provider-missing-text = Ya no está disponible. Elige otro proveedor o cierra esta ventana.

### Formas de entrar

login-options-title = ¿Cómo entras a { $provider }?
login-options-list = Formas de entrar

### Acceso

login-title = Entra a { $provider }
login-intro = Usa los mismos datos que en el sitio de { $provider }.
login-none-title = Conecta { $provider }
login-none-text = { $provider } no pide iniciar sesión. Continúa para compartir tus datos.
login-submit = Conectar
login-submitting = Conectando
password-show = Mostrar la contraseña
password-hide = Ocultar la contraseña
password-caps-lock = Bloq Mayús está activado
field-optional = opcional
field-choose = Elige una opción
field-empty = Escribe este dato para continuar.
field-empty-choice = Elige una opción para continuar.
field-too-short = { $min ->
    [one] Escribe al menos { $min } carácter.
   *[other] Escribe al menos { $min } caracteres.
}
field-too-long = { $max ->
    [one] Escribe como máximo { $max } carácter.
   *[other] Escribe como máximo { $max } caracteres.
}
field-digits = Usa solo números.
field-alphanumeric = Usa solo letras y números.
field-email = Escribe un correo electrónico como nombre@ejemplo.com.
field-phone = Escribe un número de teléfono con la clave del país, como +52 55 1234 5678.
field-curp = Escribe las 18 letras y números de tu CURP tal como aparecen en la constancia.
field-date = Escribe una fecha que exista, con año, mes y día.
field-choice = Elige uno de los valores de la lista.
field-refused = { $provider } no acepta este dato. Revísalo e intenta de nuevo.
field-space = Hay un espacio al principio o al final. Quítalo si no va ahí.
form-errors = { $count ->
    [one] Hay un campo por revisar.
   *[other] Hay { $count } campos por revisar.
}
login-again = Escribe tu contraseña otra vez. Por tu seguridad no la guardamos.
login-restarted-title = Esta página tuvo que reiniciarse
login-restarted-text = Algo falló de nuestro lado. Lo que escribiste sigue aquí, excepto tu contraseña. Revísalo y presiona Conectar otra vez.
login-not-sent-title = Tus datos no nos llegaron
login-not-sent-text = Se interrumpió la conexión. Revisa tu conexión a internet y presiona Conectar otra vez.
login-renewed-title = Tu sesión se renovó
login-renewed-text = Lo que escribiste no se envió. Presiona Conectar para enviarlo ahora.
login-other-title = Esta es otra cuenta
login-other-text = Entra a { $provider } con la cuenta que conectaste antes. No se envió nada a { $provider }.
login-limit-title = Demasiados intentos de iniciar sesión
login-wait = { $seconds ->
    [one] Puedes intentar de nuevo en { $seconds } segundo.
   *[other] Puedes intentar de nuevo en { $seconds } segundos.
}
login-wait-minutes = { $minutes ->
    [one] Puedes intentar de nuevo en { $minutes } minuto.
   *[other] Puedes intentar de nuevo en { $minutes } minutos.
}
login-wait-hours = { $hours ->
    [one] Puedes intentar de nuevo en { $hours } hora.
   *[other] Puedes intentar de nuevo en { $hours } horas.
}

### Conectando

connecting-title = Conectando con { $provider }
connecting-text = Suele tardar menos de un minuto. Mantén abierta esta ventana.
connecting-slow = { $provider } está tardando más de lo normal. Seguimos esperando su respuesta.
connecting-stage-sent = Datos enviados de forma segura
connecting-stage-login = Entrando a { $provider }
connecting-stage-answer = Comprobando tu respuesta
connecting-stage-finish = Confirmando la conexión
connecting-lost-title = Conexión interrumpida
connecting-lost-text = No podemos comunicarnos con el servicio y seguimos intentando. No tienes que hacer nada.

### Confirmar que eres tú

challenge-code-title = Escribe tu código
challenge-code-sms = { $provider } te envió un código por mensaje de texto. Debe llegar en un minuto.
challenge-code-sms-to = { $provider } envió un código por mensaje de texto al { $destination }.
challenge-code-email = { $provider } envió un código a tu correo. Revisa también la carpeta de spam.
challenge-code-email-to = { $provider } envió un código a { $destination }. Revisa también la carpeta de spam.
challenge-code-voice = { $provider } te está llamando para darte un código.
challenge-code-voice-to = { $provider } está llamando al { $destination } para darte un código.
challenge-code-app = Abre tu app de autenticación y escribe el código que muestra para { $provider }.
challenge-code-label = Código
challenge-code-help = Tiene { $length } caracteres y se envía en cuanto los escribas todos.
challenge-choice-title = Confirma que eres tú
challenge-choice-text = { $provider } te pide elegir una respuesta.
challenge-choice-missing = Elige una respuesta para continuar.
challenge-image-title = Escribe lo que ves
challenge-image-text = { $provider } muestra una imagen para comprobar que eres una persona.
challenge-image-alt = Letras o números dibujados por { $provider }
challenge-image-label = Caracteres de la imagen
challenge-listen = Escuchar en su lugar
challenge-listen-stop = Detener la grabación
challenge-listen-again = Reproducir de nuevo
challenge-listening = Se está reproduciendo la grabación.
challenge-listen-ended = La grabación terminó. Escribe lo que oíste.
challenge-listen-failed = No se pudo reproducir la grabación. Inténtalo de nuevo o escribe los caracteres de la imagen.
challenge-question-title = Responde tu pregunta de seguridad
challenge-question-text = { $provider } te hace una pregunta que configuraste ahí.
challenge-approve-title = Aprueba en tu teléfono
challenge-approve-text = { $provider } envió una solicitud a su app. Ábrela y aprueba la solicitud.
challenge-approve-on = { $provider } envió una solicitud a { $device }. Ábrela ahí y apruébala.
challenge-email-link-title = Abre el enlace de tu correo
challenge-email-link-text = { $provider } te envió un correo con un enlace. Revisa también la carpeta de spam.
challenge-email-link-to = { $provider } envió un enlace a { $destination }. Revisa también la carpeta de spam.
challenge-redirect-title = Inicia sesión en la página del proveedor
challenge-redirect-text = { $provider } se abre en otra pestaña. Inicia sesión ahí y luego regresa aquí.
challenge-redirect-here = { $provider } se abre en esta página. Inicia sesión ahí y regresarás aquí.
challenge-redirect-open = Continuar a { $provider }
challenge-redirect-left = Termina de iniciar sesión en { $provider } en la otra pestaña. Si la cerraste, empieza de nuevo.
challenge-redirect-again = Empezar de nuevo
challenge-redirect-nothing = Todavía no llega nada de { $provider }. Termina en la otra pestaña o empieza de nuevo.
challenge-waiting = Esta página continúa sola en cuanto lo hagas.
challenge-time-left = Tiempo restante: { $time }
challenge-time-low = Tiempo restante: { $time }. Puedes pedir más tiempo.
challenge-time-both = Tiempo restante: { $time }. Puedes enviarlo otra vez en { $seconds } s.
challenge-extend = Necesito más tiempo
challenge-extended = Ahora tienes más tiempo.
challenge-resend = Enviar otra vez
challenge-resend-wait = Puedes enviarlo otra vez en { $seconds } s.
challenge-resent = Va otro en camino.
challenge-by-sms = Recibir un código por mensaje de texto
challenge-by-email = Recibir un código por correo
challenge-by-voice = Recibir un código por llamada
challenge-by-app = Usar una app de autenticación
challenge-picture = Mostrar otra imagen
challenge-picture-new = Esta es otra imagen.
challenge-wrong = La respuesta no es correcta. Revísala y escríbela otra vez.
challenge-wrong-choice = La respuesta no es correcta. Elige otra.
challenge-wrong-left = { $left ->
    [one] La respuesta no es correcta. Este es tu último intento.
   *[other] La respuesta no es correcta. Te quedan { $left } intentos.
}
challenge-not-sent-title = Tu respuesta no nos llegó
challenge-not-sent-text = Se interrumpió la conexión. Revisa tu conexión a internet y presiona Continuar otra vez.
challenge-submit = Continuar
challenge-checking = Comprobando
challenge-unsupported-title = No podemos mostrar esta comprobación
challenge-unsupported-text = { $provider } te pide confirmar que eres tú de una forma que esta ventana todavía no admite. No se compartió nada.
challenge-unsupported-next = Cambia la forma de confirmar en la configuración de { $provider } o conecta otro proveedor.

### Éxito

success-title = Cuenta conectada
success-text = { $provider } ya está conectado con { $company }.
success-next = Tus datos se están obteniendo en segundo plano. Puedes cerrar esta ventana.
success-another = Conectar otra cuenta

### Por qué falló: los dieciséis códigos de la interfaz, y uno para cualquier otro

error-account-disabled-title = Esta cuenta está desactivada
error-account-disabled-cause = { $provider } desactivó esta cuenta, por eso no se puede conectar.
error-account-disabled-next = Pide a { $provider } que la active y conéctala de nuevo.
error-account-inaccessible-title = No se puede abrir esta cuenta
error-account-inaccessible-cause = Tus datos son correctos, pero { $provider } no nos deja entrar a la cuenta en este momento.
error-account-inaccessible-next = Entra al sitio de { $provider } para ver si hay algo pendiente y luego intenta de nuevo.
error-account-incomplete-title = Tu cuenta no está completa
error-account-incomplete-cause = { $provider } indica que te faltan pasos del registro.
error-account-incomplete-next = Completa tu perfil en el sitio de { $provider } y conecta tu cuenta de nuevo.
error-account-locked-title = Esta cuenta está bloqueada
error-account-locked-cause = { $provider } la bloqueó, por lo general después de varias contraseñas incorrectas.
error-account-locked-next = Primero desbloquéala en el sitio de { $provider }. Más intentos aquí podrían alargar el bloqueo.
error-auth-required-title = Tus datos de acceso no llegaron
error-auth-required-cause = { $provider } no recibió de nosotros un usuario y una contraseña.
error-auth-required-next = Escribe tus datos una vez más.
error-expired-credentials-title = Tu contraseña venció
error-expired-credentials-cause = { $provider } te pide crear una contraseña nueva antes de entrar.
error-expired-credentials-next = Cámbiala en el sitio de { $provider } y conecta con la nueva.
error-invalid-account-type-title = Este tipo de cuenta no se puede conectar
error-invalid-account-type-cause = { $provider } te reconoce, pero este tipo de cuenta no tiene los datos que se piden.
error-invalid-account-type-next = Si tienes otra cuenta en { $provider }, usa esa.
error-invalid-auth-title = No se completó el acceso
error-invalid-auth-cause = Algo falló mientras { $provider } comprobaba quién eres. Es posible que tu contraseña sea correcta.
error-invalid-auth-next = Intenta una vez más. Si vuelve a pasar, contacta al soporte de { $company }.
error-invalid-credentials-title = Los datos no coinciden
error-invalid-credentials-cause = { $provider } no acepta esta combinación de usuario y contraseña.
error-invalid-credentials-next = Revisa errores de escritura y mayúsculas, y luego intenta de nuevo.
error-invalid-mfa-title = El código fue incorrecto demasiadas veces
error-invalid-mfa-cause = { $provider } no aceptó las respuestas que diste para confirmar que eres tú.
error-invalid-mfa-next = Entra de nuevo para recibir otro código. Usa solo el más reciente.
error-declined-title = Se rechazó la solicitud
error-declined-cause = Alguien rechazó la solicitud que { $provider } envió para confirmar que eres tú. No se compartió nada.
error-declined-next = Si fuiste tú, por error, entra de nuevo y aprueba la nueva solicitud.
error-mfa-timeout-title = Se acabó el tiempo
error-mfa-timeout-cause = { $provider } esperó a que confirmaras que eres tú y después dejó de esperar.
error-mfa-timeout-next = Entra de nuevo y ten a la mano tu teléfono o tu correo.
error-service-unavailable-title = El proveedor no responde
error-service-unavailable-cause = { $provider } está fuera de servicio o en mantenimiento en este momento. Tus datos están bien.
error-service-unavailable-next = Intenta de nuevo en unos minutos o regresa más tarde.
error-system-error-title = Algo falló de nuestro lado
error-system-error-cause = La conexión con { $provider } falló, y no por algo que hayas hecho. No se compartió nada.
error-system-error-next = Intenta de nuevo. Si vuelve a pasar, contacta al soporte de { $company }.
error-tos-required-title = Hay términos nuevos por aceptar
error-tos-required-cause = Debes aceptar los términos de servicio de { $provider } antes de que alguien pueda entrar por ti.
error-tos-required-next = Entra al sitio de { $provider }, acepta los términos y conecta tu cuenta de nuevo.
error-unsupported-auth-type-title = Esta forma de entrar no es compatible
error-unsupported-auth-type-cause = Tu cuenta de { $provider } usa un acceso que no podemos realizar, como entrar por medio de otra empresa.
error-unsupported-auth-type-next = Usa otra forma de entrar si la tienes, o elige otro proveedor.
error-unsupported-mfa-method-title = Esta forma de confirmar no es compatible
error-unsupported-mfa-method-cause = { $provider } confirma que eres tú de una forma que no podemos realizar, como una llave de seguridad.
error-unsupported-mfa-method-next = Cambia a códigos por mensaje de texto o correo en la configuración de { $provider } y conecta tu cuenta de nuevo.
error-unknown-title = No pudimos conectar tu cuenta
error-unknown-cause = { $provider } reportó un problema que todavía no conocemos. No se compartió nada.
error-unknown-next = Intenta de nuevo más tarde. Si vuelve a pasar, contacta al soporte de { $company }.
error-try-again = Escribir mis datos otra vez

### La sesión terminó

expired-title = Tu sesión terminó
expired-text = Por tu seguridad, una sesión dura un tiempo limitado. Estamos pidiendo a { $company } que continúe; lo que escribiste se conserva.
expired-renewing-title = Continuamos donde estabas
expired-renewing-text = Estamos abriendo una nueva sesión segura. Lo que escribiste se conserva.
expired-start-title = Este enlace venció
expired-start-text = Cada enlace funciona una sola vez y por poco tiempo. Si la página de donde vienes no continúa sola, cierra esta ventana y empieza de nuevo.
expired-mismatch-title = Tuvimos que detenernos aquí
expired-mismatch-text = La nueva sesión es de otra persona o de otra página. Para proteger tus datos borramos todo. Cierra esta ventana y empieza de nuevo.

### ¿Salir?

leave-title = ¿Salir antes de terminar?
leave-typed = Se borrará lo que escribiste.
leave-connecting = Tu cuenta todavía no está conectada. Si sales ahora, quizá tengas que empezar de nuevo.
leave-stay = Quedarme aquí
leave-leave = Salir

### Lo que ya está conectado

accounts-title = Tus cuentas conectadas
accounts-loading = Cargando tus cuentas
accounts-uploads = Tus documentos
accounts-none = No hay nada conectado por ahora.
accounts-back = Volver a tus cuentas
account-title = Tu cuenta de { $provider }
account-action = Entra de nuevo para mantenerla al día
account-action-text = { $provider } te pide entrar de nuevo para que se puedan leer datos nuevos.
account-nothing = No tienes que hacer nada. { $company } conserva el acceso que aceptaste hasta que termine o te desconectes.
account-sign-in = Entrar de nuevo
account-reading = Leyendo datos
account-unread = No se pudo leer
account-synced = { $days ->
    [0] Actualizada hoy
    [one] Actualizada ayer
   *[other] Actualizada hace { $days } días
}
account-added = { $days ->
    [0] Desde hoy
    [one] Desde ayer
   *[other] Desde hace { $days } días
}
account-missing-title = Esta cuenta no está aquí
account-missing-text = Se desconectó o es de otra persona. Puedes conectar una cuenta ahora.
revoke-title = ¿Desconectar { $provider }?
revoke-text = { $company } perderá el acceso a tu cuenta de { $provider } y los datos que se leyeron de ella se borrarán. Puedes conectarla de nuevo después.
revoke-upload-title = ¿Quitar este documento?
revoke-upload-text = { $company } perderá el acceso a él, y sus archivos y los datos que se leyeron de ellos se borrarán.
revoke-disconnect = Desconectar
revoke-remove = Quitar
revoke-keep = Conservar
revoke-busy = Retirando el acceso
revoke-done = Se retiró el acceso y los datos se están borrando.

### No lo encuentro

survey-title = Dinos quién nos falta
survey-text = Anotamos los empleadores y proveedores que las personas buscan y los vamos agregando.
survey-label = Empleador o proveedor
survey-submit = Enviar
survey-thanks-title = Gracias, ya lo anotamos
survey-thanks-text = Todavía no se puede conectar. Puedes elegir otro proveedor.
survey-thanks-upload = Todavía no se puede conectar. Mientras tanto puedes subir un documento.

### Documentos

uploads-title = Sube un documento
uploads-text = ¿Qué quieres entregar a { $company }?
uploads-list = Tipos de documento
archive-payslip = Recibo de nómina
archive-payslip-hint = El más reciente, con todas sus páginas.
archive-tax = Documento fiscal
archive-tax-hint = Tu última declaración o constancia anual.
archive-company = Credencial de la empresa
archive-company-hint = Tu gafete de trabajo, por ambos lados.
archive-identity = Identificación oficial
archive-identity-hint = INE, pasaporte o licencia de conducir.
archive-clearance = Constancia de no antecedentes penales
archive-clearance-hint = De la policía, un juzgado o un empleador.
archive-certificate = Constancia
archive-certificate-hint = De tu empleo o de tus cotizaciones.
archive-bank = Estado de cuenta
archive-bank-hint = El último mes completo, con todas sus páginas.
upload-rules = PDF, JPEG, HEIC, PNG o TIFF, de hasta 15 MB cada uno.
upload-rules-pages = Hasta { $limit } archivos: PDF, JPEG, HEIC, PNG o TIFF, de hasta 15 MB cada uno.
upload-front = Frente
upload-back = Reverso
upload-back-text = No hace falta si es un pasaporte.
upload-pages = Agrega archivos
upload-pages-text = Elige, arrastra o pega aquí.
upload-again = Elige otra vez el archivo que quedó incompleto para continuar. Solo se envía lo que falta.
upload-choose = Elegir un archivo
upload-camera = Tomar una foto
upload-files = Tus archivos
upload-looking = Revisando
upload-missing = { $percent } % ya se había enviado
upload-waiting = En espera
upload-offline = Sin conexión. Tus archivos esperan y continúan solos.
upload-online = Volvió la conexión.
upload-sending = { $percent } % de { $size } MB
upload-retrying = Se perdió la conexión. Intentando de nuevo.
upload-paused = En pausa al { $percent } %
upload-stuck = No se pudo enviar.
upload-sent = Subido, { $size } MB
upload-refused = No se agregó, { $size } MB
upload-removing = Quitando
upload-announce = { $name }: { $percent } % subido
upload-pause = Pausar { $name }
upload-continue = Continuar { $name }
upload-remove = Quitar { $name }
upload-surplus = Se agregaron { $added } de { $offered } archivos. El límite es { $limit }.
upload-clear = Quitar los archivos que no se agregaron
upload-summary = { $files ->
    [one] { $files } archivo, { $size } MB, listo para enviar
   *[other] { $files } archivos, { $size } MB, listos para enviar
}
upload-submit = Enviar
upload-loss = Todavía no envías tus archivos. Si sales ahora, tendrás que elegirlos de nuevo.
file-duplicate = Ya agregaste este archivo.
file-empty = Este archivo está vacío.
file-too-large = Este archivo pesa más de 15 MB. Hazlo más ligero o toma una foto de cada página.
file-unsupported = No podemos leer este archivo. Guárdalo o imprímelo como PDF, o toma una captura de pantalla, y agrégalo. Se aceptan PDF, JPEG, HEIC, PNG y TIFF.
file-extra = Este archivo tiene otros datos además del documento. Imprímelo a un PDF nuevo o toma otra foto, y agrégalo.
file-encrypted = Este archivo tiene contraseña. Guárdalo sin ella y agrégalo de nuevo.
file-damaged = Este archivo está dañado o incompleto. Ábrelo en tu dispositivo para revisarlo y agrégalo de nuevo.
file-too-many-pages = Este archivo tiene más de 30 páginas. Agrega solo las que importan.
file-too-many-pixels = Esta imagen es demasiado grande. Tómala de nuevo con menor resolución.
file-too-many = Ya no cabe este archivo. Primero quita otro.
file-quota = Ya subiste todo lo permitido. Intenta de nuevo mañana.
file-mismatch = Este archivo cambió o ya no está. Quítalo y agrégalo de nuevo.
upload-remove-title = ¿Quitar estos archivos?
upload-remove-text = Los archivos que agregaste se borran. No se envió nada.
upload-remove-yes = Quitar
upload-remove-no = Conservar
photo-title = Revisa la foto
photo-text = ¿Se lee cada palabra? ¿Se ve la hoja completa?
photo-blurred = Esta foto parece borrosa. Si no puedes leer las letras pequeñas, tómala de nuevo sin mover la mano.
photo-dark = Esta foto está oscura. Tómala de nuevo con más luz y sin sombra sobre la hoja.
photo-alt = Foto { $name }
photo-turn = Girar
photo-frame = Recortar
photo-use = Usar esta foto
photo-retake = Quitar y tomar de nuevo
photo-discard = Quitar
photo-frame-title = Recorta la foto
photo-frame-text = Arrastra los bordes hasta los bordes de la hoja.
photo-left = Borde izquierdo
photo-top = Borde superior
photo-right = Borde derecho
photo-bottom = Borde inferior
photo-crop = Recortar
photo-unframe = Cancelar
photo-waiting = Espera a que la revises
photo-help = Pon la hoja plana y con buena luz, y haz que quepa completa en la foto.
reading-title = Leyendo tu documento
reading-text = Suele tardar menos de un minuto. Puedes cerrar esta ventana; la lectura continúa.
reading-received = Archivos recibidos
reading-queued = En espera de turno
reading-pages = Leyendo las páginas
reading-checked = Comprobando lo que se encontró
archive-read-title = Leímos tu documento
archive-read-text = { $company } ya puede usar lo que dice.
archive-another = Subir otro documento
archive-unrecognized-title = No pudimos leer este documento
archive-unrecognized-next = Toma la foto otra vez: de frente, con buena luz, sin reflejos y con las cuatro esquinas a la vista. Lo mejor es el PDF de quien lo emitió.
archive-unknown-title = No conocemos este tipo de documento
archive-unknown-next = Pudimos leer el texto, pero no parece un documento de los que se piden. Revisa que esté completo o sube otro.
archive-people-title = Estos documentos son de varias personas
archive-people-next = Sube solo los documentos de una persona: los tuyos.
archive-form-title = No se puede leer este formulario
archive-form-next = Los datos no están en sus páginas. Ábrelo, elige Imprimir, guárdalo como PDF y sube el archivo nuevo.
archive-portfolio-title = Este PDF contiene otros archivos
archive-portfolio-next = Ábrelo, guarda por separado el documento que necesitas y súbelo.
archive-chosen = El tipo que elegiste
archive-wrong-title = Parece otro tipo de documento
archive-wrong-next = Elige el tipo que le corresponde o sube el que se pide.
archive-unreadable-title = No se puede abrir un archivo
archive-unreadable-next = Está dañado o tiene contraseña. Guárdalo de nuevo sin contraseña y súbelo.
archive-away-title = No es posible leerlo en este momento
archive-away-next = Tus archivos están bien. Intenta de nuevo en unos minutos.
archive-fault-title = Algo falló de nuestro lado
archive-fault-next = Tus archivos están bien. Súbelos una vez más.
archive-again = Subir de nuevo
archive-other = Elegir otro tipo

### En el teléfono

handoff-offer = Continuar en tu teléfono
handoff-title = Continúa en tu teléfono
handoff-scan = Apunta la cámara de tu teléfono a este código y abre la página que te ofrece.
handoff-once = El código funciona una sola vez y durante 10 minutos. No se lo muestres a nadie: podría continuar en tu lugar.
handoff-alt = Código QR que abre este paso en tu teléfono
handoff-here = Mejor continuar aquí
handoff-again = Mostrar otro código
handoff-continued-title = Continúas en tu teléfono
handoff-continued-text = Deja abierta esta página. Continúa sola cuando termines en tu teléfono.
handoff-continued-warning = ¿No fuiste tú? Elige «Mejor continuar aquí» y el otro dispositivo ya no podrá hacer nada.
handoff-expired-title = El código venció
handoff-expired-text = No se perdió nada. Muestra otro código o continúa aquí.
handoff-left-title = Saliste de la página en tu teléfono
handoff-left-text = Lo que ya enviaste se conserva. Muestra otro código o continúa aquí.
handoff-arrival-title = Continúa en este teléfono
handoff-arrival-text = Aquí continúas lo que empezaste en tu computadora con { $company }.
handoff-arrival-warning = Continúa solo si escaneaste el código en tu propia pantalla. Si alguien te lo envió, cierra esta página: esa persona recibiría lo que escribas.
handoff-continue = Continuar
handoff-done-title = Aquí terminaste
handoff-done-text = Regresa a tu computadora. Ahí continúa todo.
handoff-back-title = Continúa en tu computadora
handoff-back-text = Tu computadora muestra qué sigue. Puedes cerrar esta página.
handoff-dead-title = Este código ya no funciona
handoff-dead-text = Un código funciona una sola vez y durante 10 minutos. Muestra otro en tu computadora y escanéalo.
