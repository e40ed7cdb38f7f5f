# Brazilian Portuguese. The keys are those of en.ftl, grouped by screen.
# Style: "você", calmo e exato. O que aconteceu e o que fazer em seguida. Sem culpa e sem pontos de exclamação.

### The frame around every screen

dialog-title = Conecte uma conta
header-back = Voltar
header-close = Fechar
header-sandbox = Testes
footer-password = { $company } nunca vê a sua senha.
footer-consent = { $company } vê somente o que você concorda em compartilhar.
help-link = Obter ajuda (abre em outra aba)

### Buttons used on several screens

action-retry = Tentar novamente
action-close = Fechar
action-done = Concluir
action-choose-another = Escolher outro provedor
action-another-login = Usar outros dados de acesso
action-upload = Enviar um documento em vez disso
action-more = Mais

### Starting

starting-title = Preparando tudo
starting-text = Estamos abrindo uma sessão segura. Leva só um momento.
refused-title = Não é possível abrir este link
refused-text = Ele não é mais válido. Feche esta janela e comece de novo na página de onde você veio.

### A request that failed

slow-title = Isso está demorando mais do que o normal
slow-text = Ainda estamos esperando uma resposta. Você pode continuar esperando, tentar novamente ou fechar esta janela.
offline-title = Parece que você está sem internet
offline-text = Não conseguimos acessar o serviço. Verifique a sua conexão com a internet e tente novamente.
unavailable-title = O serviço não está respondendo
unavailable-text = O problema é nosso e nada do que você digitou se perdeu. Aguarde um momento e tente novamente.
trapped-title = Houve um problema do nosso lado
trapped-text = Tente novamente para continuar de onde parou.
busy-title = Muitas tentativas seguidas

### Consent

consent-title = Compartilhe os seus dados com { $company }
consent-intro = { $company } usa o Linchpin para ler os dados de uma conta que você escolhe. Você decide se quer compartilhá-los.
consent-data-title = O que é compartilhado
consent-data-text = Dados de identidade, emprego e renda, e os documentos que o provedor tem sobre você.
consent-data-choice = Dados que o provedor tem sobre você. Na próxima página você escolhe quais.
consent-time-title = Com que frequência e por quanto tempo
consent-time-once = Os seus dados são lidos uma vez. Eles são excluídos 60 dias depois da última vez que você conecta a conta.
consent-time-daily = Os seus dados são lidos agora e, se o provedor permitir, de novo todos os dias. Eles são excluídos 60 dias depois da última vez que você conecta a conta.
consent-time-weekly = Os seus dados são lidos agora e, se o provedor permitir, de novo toda semana. Eles são excluídos 60 dias depois da última vez que você conecta a conta.
consent-time-monthly = Os seus dados são lidos agora e, se o provedor permitir, de novo todo mês. Eles são excluídos 60 dias depois da última vez que você conecta a conta.
consent-sync-once = Os seus dados são lidos uma vez. Eles são excluídos 60 dias depois da última leitura.
consent-sync-daily = Os seus dados são lidos agora e, se o provedor permitir, de novo todos os dias. Eles são excluídos 60 dias depois da última leitura.
consent-sync-weekly = Os seus dados são lidos agora e, se o provedor permitir, de novo toda semana. Eles são excluídos 60 dias depois da última leitura.
consent-sync-monthly = Os seus dados são lidos agora e, se o provedor permitir, de novo todo mês. Eles são excluídos 60 dias depois da última leitura.
consent-private-title = O que continua privado
consent-private-text = A sua senha. Ela vai somente para o provedor que você escolhe; { $company } nunca a vê.
consent-stop-title = Como cancelar
consent-stop-text = Peça a { $company } que encerre o acesso quando quiser. Os seus dados são então excluídos.
consent-version = Versão { $version }
consent-agree = Concordar e continuar
consent-choose = Escolher o que compartilhar
consent-changed = Os termos mudaram desde que você os viu. Leia-os outra vez.
consent-decline = Agora não

### Choosing what to share

data-choice-title = Escolha o que compartilhar com { $company }
data-choice-intro = Você pode recusar tudo o que não é sempre compartilhado e mesmo assim conectar a conta. { $company } não recebe o que você recusa.
data-choice-required = Sempre compartilhado
data-choice-optional = Você escolhe
data-choice-none = Você compartilha somente o que é sempre compartilhado.
data-choice-some = Você também compartilha o que selecionou: { $chosen } de { $total }.
data-choice-uploads = Se você enviar um documento, o arquivo inteiro é compartilhado.
data-identities = Nome e dados de contato
data-documents = Documentos e os seus arquivos
data-employments = Empregos
data-incomes = Salários
data-transactions = Pagamentos e transações
data-contributions = Contribuições para fundos
data-liabilities = Empréstimos
data-eincomes = Estimativas da sua renda mensal
data-ratings = Avaliações em plataformas
data-links = Quando você conectou este provedor
data-insights = Números calculados com os seus dados

### Providers

providers-title = Escolha o seu provedor
providers-intro = Onde está a conta que você quer conectar?
providers-search = Pesquisar provedores
providers-search-placeholder = Pesquise por nome
providers-search-clear = Limpar a pesquisa
providers-tabs = Tipo de provedor
providers-tab-all = Todos
providers-tab-government = Governo
providers-tab-employer = Empregadores
providers-tab-gig = Aplicativos de trabalho
providers-tab-payroll = Folha de pagamento
providers-kind-government = Serviço público
providers-kind-employer = Empregador
providers-kind-gig = Aplicativo de trabalho
providers-kind-payroll = Provedor de folha de pagamento
providers-list-top = Mais usados
providers-list-all = Todos os provedores
providers-list-found = Provedores encontrados
providers-loading = Carregando provedores
providers-found = { $count ->
    [0] Nenhum provedor encontrado
    [one] { $count } provedor encontrado
   *[other] { $count } provedores encontrados
}
providers-empty-title = Nenhum provedor corresponde
providers-empty-text = Verifique a grafia ou tente um nome mais curto ou outro tipo de provedor.
providers-show-all = Ver todos os provedores
providers-none-title = Ainda não há provedores
providers-none-text = { $company } ainda não tem provedores para conectar. Feche esta janela e avise a empresa.
providers-more = Mostrar mais
providers-missing = Não encontro o meu
provider-away = Indisponível no momento
provider-loading = Abrindo { $provider }
provider-missing-title = Não é possível conectar este provedor aqui
provider-missing-text = Ele não é mais oferecido. Escolha outro provedor ou feche esta janela.

### Ways to sign in

login-options-title = Como você entra em { $provider }?
login-options-list = Formas de entrar

### Login

login-title = Entre em { $provider }
login-intro = Use os mesmos dados do site de { $provider }.
login-none-title = Conecte { $provider }
login-none-text = { $provider } não pede login. Continue para compartilhar os seus dados.
login-submit = Conectar
login-submitting = Conectando
password-show = Mostrar a senha
password-hide = Ocultar a senha
password-caps-lock = Caps Lock está ativado
field-optional = opcional
field-choose = Escolha uma opção
field-empty = Preencha este campo para continuar.
field-empty-choice = Escolha uma opção para continuar.
field-too-short = { $min ->
    [one] Digite pelo menos { $min } caractere.
   *[other] Digite pelo menos { $min } caracteres.
}
field-too-long = { $max ->
    [one] Digite no máximo { $max } caractere.
   *[other] Digite no máximo { $max } caracteres.
}
field-digits = Use somente números.
field-alphanumeric = Use somente letras e números.
field-email = Digite um e-mail como nome@exemplo.com.
field-phone = Digite um telefone com o código do país, como +52 55 1234 5678.
field-curp = Digite as 18 letras e números da sua CURP como aparecem no documento.
field-date = Digite uma data que exista, com ano, mês e dia.
field-choice = Escolha um dos valores da lista.
field-refused = { $provider } não aceita este valor. Verifique e tente novamente.
field-space = Há um espaço no início ou no fim. Remova-o se não fizer parte.
form-errors = { $count ->
    [one] Há { $count } campo para revisar.
   *[other] Há { $count } campos para revisar.
}
login-again = Digite a sua senha outra vez. Para a sua segurança, não a guardamos.
login-restarted-title = Esta página precisou reiniciar
login-restarted-text = Houve um problema do nosso lado. O que você digitou continua aqui, exceto a sua senha. Confira e pressione Conectar outra vez.
login-not-sent-title = Os seus dados não chegaram até nós
login-not-sent-text = A conexão foi interrompida. Verifique a sua internet e pressione Conectar outra vez.
login-renewed-title = A sua sessão foi renovada
login-renewed-text = O que você digitou não foi enviado. Pressione Conectar para enviar agora.
login-other-title = Esta é outra conta
login-other-text = Entre em { $provider } com a conta que você conectou antes. Nada foi enviado a { $provider }.
login-limit-title = Muitas tentativas de entrar
login-wait = { $seconds ->
    [one] Você pode tentar novamente em { $seconds } segundo.
   *[other] Você pode tentar novamente em { $seconds } segundos.
}
login-wait-minutes = { $minutes ->
    [one] Você pode tentar novamente em { $minutes } minuto.
   *[other] Você pode tentar novamente em { $minutes } minutos.
}
login-wait-hours = { $hours ->
    [one] Você pode tentar novamente em { $hours } hora.
   *[other] Você pode tentar novamente em { $hours } horas.
}

### Connecting

connecting-title = Conectando a { $provider }
connecting-text = Costuma levar menos de um minuto. Mantenha esta janela aberta.
connecting-slow = { $provider } está demorando mais do que o normal. Continuamos aguardando a resposta.
connecting-stage-sent = Dados enviados com segurança
connecting-stage-login = Entrando em { $provider }
connecting-stage-answer = Verificando a sua resposta
connecting-stage-finish = Confirmando a conexão
connecting-lost-title = Conexão interrompida
connecting-lost-text = Não conseguimos acessar o serviço e continuamos tentando. Você não precisa fazer nada.

### Confirming that it is you

challenge-code-title = Digite o seu código
challenge-code-sms = { $provider } enviou um código por SMS. Ele deve chegar em um minuto.
challenge-code-sms-to = { $provider } enviou um código por SMS para { $destination }.
challenge-code-email = { $provider } enviou um código para o seu e-mail. Veja também a pasta de spam.
challenge-code-email-to = { $provider } enviou um código para { $destination }. Veja também a pasta de spam.
challenge-code-voice = { $provider } está ligando para você com um código.
challenge-code-voice-to = { $provider } está ligando para { $destination } com um código.
challenge-code-app = Abra o seu aplicativo autenticador e digite o código que ele mostra para { $provider }.
challenge-code-label = Código de confirmação
challenge-code-help = Ele tem { $length } caracteres e é enviado assim que você digitar todos.
challenge-choice-title = Confirme que é você
challenge-choice-text = { $provider } pede que você escolha uma resposta.
challenge-choice-missing = Escolha uma resposta para continuar.
challenge-image-title = Digite o que você vê
challenge-image-text = { $provider } mostra uma imagem para verificar que você é uma pessoa.
challenge-image-alt = Letras ou números desenhados por { $provider }
challenge-image-label = Caracteres na imagem
challenge-listen = Ouvir em vez disso
challenge-listen-stop = Parar a gravação
challenge-listen-again = Reproduzir de novo
challenge-listening = A gravação está sendo reproduzida.
challenge-listen-ended = A gravação terminou. Digite o que você ouviu.
challenge-listen-failed = Não foi possível reproduzir a gravação. Tente de novo ou digite os caracteres da imagem.
challenge-question-title = Responda à sua pergunta de segurança
challenge-question-text = { $provider } faz uma pergunta que você configurou lá.
challenge-approve-title = Aprove no seu celular
challenge-approve-text = { $provider } enviou uma solicitação para o aplicativo. Abra o aplicativo e aprove-a.
challenge-approve-on = { $provider } enviou uma solicitação para { $device }. Abra-a nesse aparelho e aprove.
challenge-email-link-title = Abra o link no seu e-mail
challenge-email-link-text = { $provider } enviou um e-mail com um link para você. Veja também a pasta de spam.
challenge-email-link-to = { $provider } enviou um link para { $destination }. Veja também a pasta de spam.
challenge-redirect-title = Entre na página do provedor
challenge-redirect-text = { $provider } abre em outra aba. Entre por lá e depois volte aqui.
challenge-redirect-here = { $provider } abre nesta página. Entre por lá e você volta para cá.
challenge-redirect-open = Continuar para { $provider }
challenge-redirect-left = Termine de entrar em { $provider } na outra aba. Se você a fechou, comece de novo.
challenge-redirect-again = Começar de novo
challenge-redirect-nothing = Ainda não chegou nada de { $provider }. Termine na outra aba ou comece de novo.
challenge-waiting = Esta página continua sozinha assim que você fizer isso.
challenge-time-left = Tempo restante: { $time }
challenge-time-low = Tempo restante: { $time }. Você pode pedir mais tempo.
challenge-time-both = Tempo restante: { $time }. Você pode enviar de novo em { $seconds } s.
challenge-extend = Preciso de mais tempo
challenge-extended = Agora você tem mais tempo.
challenge-resend = Enviar novamente
challenge-resend-wait = Enviar novamente em { $seconds } s
challenge-resent = Um novo está a caminho.
challenge-by-sms = Enviar por SMS
challenge-by-email = Enviar por e-mail
challenge-by-voice = Receber por ligação
challenge-by-app = Usar um aplicativo autenticador
challenge-picture = Mostrar outra imagem
challenge-picture-new = Esta é outra imagem.
challenge-wrong = A resposta não está correta. Verifique e digite novamente.
challenge-wrong-choice = A resposta não está correta. Escolha outra.
challenge-wrong-left = { $left ->
    [one] A resposta não está correta. Esta é a sua última tentativa.
   *[other] A resposta não está correta. Você ainda tem { $left } tentativas.
}
challenge-not-sent-title = A sua resposta não chegou até nós
challenge-not-sent-text = A conexão foi interrompida. Verifique a sua internet e digite a sua resposta novamente.
challenge-submit = Avançar
challenge-checking = Verificando
challenge-unsupported-title = Não podemos mostrar esta verificação
challenge-unsupported-text = { $provider } pede que você confirme a sua identidade de uma forma que esta janela ainda não aceita. Nada foi compartilhado.
challenge-unsupported-next = Mude a forma de confirmação nas configurações de { $provider } ou conecte outro provedor.

### Success

success-title = Sua conta está conectada
success-text = { $provider } agora está conectado a { $company }.
success-next = Os seus dados estão sendo obtidos em segundo plano. Você pode fechar esta janela.
success-another = Conectar outra conta

### Why it failed: the error codes of the interface, and one for any other

error-account-disabled-title = Esta conta está desativada
error-account-disabled-cause = { $provider } desativou esta conta, por isso ela não pode ser conectada.
error-account-disabled-next = Peça a { $provider } que a ative e conecte-a novamente.
error-account-inaccessible-title = Não é possível abrir esta conta
error-account-inaccessible-cause = O seu login funcionou, mas { $provider } não nos deixa entrar na conta no momento.
error-account-inaccessible-next = Entre no site de { $provider } para ver se há alguma pendência e tente novamente.
error-account-incomplete-title = A sua conta ainda não está completa
error-account-incomplete-cause = { $provider } informa que faltam etapas do seu cadastro.
error-account-incomplete-next = Complete o seu perfil no site de { $provider } e conecte a conta novamente.
error-account-locked-title = Esta conta está bloqueada
error-account-locked-cause = { $provider } bloqueou a conta, em geral depois de várias senhas erradas.
error-account-locked-next = Primeiro desbloqueie a conta no site de { $provider }. Mais tentativas aqui podem prolongar o bloqueio.
error-auth-required-title = Os seus dados de acesso não chegaram
error-auth-required-cause = { $provider } não recebeu de nós um usuário e uma senha.
error-auth-required-next = Digite os seus dados mais uma vez.
error-expired-credentials-title = A sua senha expirou
error-expired-credentials-cause = { $provider } pede que você crie uma nova senha antes de entrar.
error-expired-credentials-next = Altere a senha no site de { $provider } e conecte com a nova.
error-invalid-account-type-title = Este tipo de conta não pode ser conectado
error-invalid-account-type-cause = { $provider } reconhece você, mas este tipo de conta não tem os dados solicitados.
error-invalid-account-type-next = Se você tiver outra conta em { $provider }, use essa.
error-invalid-auth-title = O login não foi concluído
error-invalid-auth-cause = Algo falhou enquanto { $provider } verificava quem você é. A sua senha pode estar certa.
error-invalid-auth-next = Tente mais uma vez. Se acontecer de novo, fale com o suporte de { $company }.
error-invalid-credentials-title = Os dados não conferem
error-invalid-credentials-cause = { $provider } não aceita esta combinação de usuário e senha.
error-invalid-credentials-next = Verifique erros de digitação e letras maiúsculas e tente novamente.
error-invalid-mfa-title = O código estava errado muitas vezes
error-invalid-mfa-cause = { $provider } não aceitou as respostas que você deu para confirmar a sua identidade.
error-invalid-mfa-next = Entre novamente para receber um novo código. Use somente o mais recente.
error-declined-title = A solicitação foi recusada
error-declined-cause = Alguém recusou a solicitação que { $provider } enviou para confirmar a sua identidade. Nada foi compartilhado.
error-declined-next = Se foi você, por engano, entre novamente e aprove a nova solicitação.
error-mfa-timeout-title = O tempo acabou
error-mfa-timeout-cause = { $provider } esperou pela sua confirmação e depois desistiu.
error-mfa-timeout-next = Entre novamente e deixe o celular ou o e-mail à mão.
error-service-unavailable-title = O provedor não está respondendo
error-service-unavailable-cause = { $provider } está fora do ar ou em manutenção no momento. Os seus dados estão certos.
error-service-unavailable-next = Tente novamente em alguns minutos ou volte mais tarde.
error-system-error-title = Algo deu errado do nosso lado
error-system-error-cause = A conexão com { $provider } falhou, e não foi culpa sua. Nada foi compartilhado.
error-system-error-next = Tente novamente. Se acontecer de novo, fale com o suporte de { $company }.
error-tos-required-title = Há novos termos para aceitar
error-tos-required-cause = Você precisa aceitar os termos de serviço de { $provider } antes que alguém possa entrar por você.
error-tos-required-next = Entre no site de { $provider }, aceite os termos e conecte a conta novamente.
error-unsupported-auth-type-title = Esta forma de entrar não é aceita
error-unsupported-auth-type-cause = A sua conta em { $provider } usa um login que não podemos realizar, como o login por outra empresa.
error-unsupported-auth-type-next = Use outra forma de entrar, se tiver, ou escolha outro provedor.
error-unsupported-mfa-method-title = Esta forma de confirmação não é aceita
error-unsupported-mfa-method-cause = { $provider } confirma a sua identidade de uma forma que não podemos realizar, como uma chave de segurança.
error-unsupported-mfa-method-next = Mude para códigos por SMS ou e-mail nas configurações de { $provider } e conecte a conta novamente.
error-unknown-title = Não conseguimos conectar a sua conta
error-unknown-cause = { $provider } informou um problema que ainda não conhecemos. Nada foi compartilhado.
error-unknown-next = Tente novamente mais tarde. Se acontecer de novo, fale com o suporte de { $company }.
error-try-again = Digitar os dados novamente

### The session ended

expired-title = A sua sessão terminou
expired-text = Para a sua segurança, a sessão dura um tempo limitado. Estamos pedindo a { $company } uma nova sessão; o que você digitou está guardado.
expired-renewing-title = Continuando de onde você parou
expired-renewing-text = Abrindo uma nova sessão segura. O que você digitou está guardado.
expired-start-title = Este link expirou
expired-start-text = Os links funcionam uma vez e por pouco tempo. Se a página de onde você veio não continuar sozinha, feche esta janela e comece de novo.
expired-mismatch-title = Tivemos que parar aqui
expired-mismatch-text = A nova sessão pertence a outra pessoa ou página. Para proteger os seus dados, apagamos tudo. Feche esta janela e comece de novo.

### Leave?

leave-title = Sair antes de terminar?
leave-typed = O que você digitou será apagado.
leave-connecting = A sua conta ainda não está conectada. Se você sair agora, talvez tenha que recomeçar.
leave-stay = Continuar aqui
leave-leave = Sair

### Already linked

accounts-title = As suas contas conectadas
accounts-loading = Carregando as suas contas
accounts-uploads = Os seus documentos
accounts-none = Nada está conectado no momento.
accounts-back = Voltar às suas contas
account-title = A sua conta em { $provider }
account-action = Entre novamente para mantê-la atualizada
account-action-text = { $provider } pede um novo login antes que novos dados possam ser lidos.
account-nothing = Não há nada a fazer. { $company } mantém o acesso com que você concordou até que ele termine ou você o desconecte.
account-sign-in = Entrar novamente
account-reading = Em leitura
account-unread = Não foi possível ler
account-synced = { $days ->
    [0] Atualizada hoje
    [1] Atualizada ontem
    [one] Atualizada há { $days } dia
   *[other] Atualizada há { $days } dias
}
account-added = { $days ->
    [0] Desde hoje
    [1] Desde ontem
    [one] Há { $days } dia
   *[other] Há { $days } dias
}
account-missing-title = Esta conta não está aqui
account-missing-text = Ela foi desconectada ou pertence a outra pessoa. Você pode conectar uma conta agora.
revoke-title = Desconectar { $provider }?
revoke-text = { $company } perderá o acesso à sua conta em { $provider }, e os dados lidos dela serão excluídos. Você poderá conectá-la novamente depois.
revoke-upload-title = Remover este documento?
revoke-upload-text = { $company } perderá o acesso a ele, e os arquivos e os dados lidos deles serão excluídos.
revoke-disconnect = Desconectar
revoke-remove = Remover
revoke-keep = Manter
revoke-busy = Removendo o acesso
revoke-done = O acesso foi removido e os dados estão sendo excluídos.

### Can’t find it

survey-title = Diga quem está faltando
survey-text = Anotamos os empregadores e provedores que as pessoas procuram e os adicionamos aos poucos.
survey-label = Empregador ou provedor
survey-submit = Enviar
survey-thanks-title = Obrigado, está anotado
survey-thanks-text = Ainda não é possível conectá-lo. Você pode escolher outro provedor.
survey-thanks-upload = Ainda não é possível conectá-lo. Você pode enviar um documento.

### Documents

uploads-title = Envie um documento
uploads-text = O que você quer entregar a { $company }?
uploads-list = Tipos de documento
archive-payslip = Holerite
archive-payslip-hint = O mais recente, com todas as páginas.
archive-tax = Documento fiscal
archive-tax-hint = A sua última declaração ou o informe anual.
archive-company = Crachá da empresa
archive-company-hint = O seu crachá, dos dois lados.
archive-identity = Documento de identidade
archive-identity-hint = Passaporte, identidade ou carteira de motorista.
archive-clearance = Certidão de antecedentes
archive-clearance-hint = Da polícia, da justiça ou de um empregador.
archive-certificate = Declaração
archive-certificate-hint = De emprego ou de contribuições.
archive-bank = Extrato bancário
archive-bank-hint = O último mês completo, com todas as páginas.
upload-rules = PDF, JPEG, HEIC, PNG ou TIFF, com até 15 MB cada.
upload-rules-pages = Até { $limit } arquivos: PDF, JPEG, HEIC, PNG ou TIFF, com até 15 MB cada.
upload-front = Frente
upload-back = Verso
upload-back-text = Não é necessário para passaporte.
upload-pages = Adicionar arquivos
upload-pages-text = Escolha, arraste ou cole aqui.
upload-again = Escolha novamente o arquivo não concluído para continuar. Só a parte que falta é enviada.
upload-choose = Escolher um arquivo
upload-camera = Tirar uma foto
upload-files = Os seus arquivos
upload-looking = Verificando o arquivo
upload-missing = { $percent } % já enviado antes
upload-waiting = Aguardando
upload-offline = Sem conexão. Os seus arquivos continuarão sozinhos.
upload-online = A conexão voltou.
upload-sending = { $percent } % de { $size } MB
upload-retrying = A conexão caiu. Tentando novamente.
upload-paused = Pausado em { $percent } %
upload-stuck = Não foi possível enviá-lo.
upload-sent = Enviado, { $size } MB
upload-refused = Não adicionado, { $size } MB
upload-removing = Removendo
upload-announce = { $name }: { $percent } % enviado
upload-pause = Pausar { $name }
upload-continue = Continuar { $name }
upload-remove = Remover { $name }
upload-surplus = { $added } de { $offered } arquivos adicionados. O limite é { $limit }.
upload-clear = Remover os arquivos que não foram adicionados
upload-summary = { $files ->
    [one] { $files } arquivo, { $size } MB, pronto para enviar
   *[other] { $files } arquivos, { $size } MB, prontos para enviar
}
upload-submit = Enviar
upload-loss = O seu envio ainda não foi concluído. Se você sair agora, terá que escolher os arquivos novamente.
file-duplicate = Você já adicionou este arquivo.
file-empty = Este arquivo está vazio.
file-too-large = Este arquivo tem mais de 15 MB. Diminua-o ou tire uma foto de cada página.
file-unsupported = Não conseguimos ler este arquivo. Salve-o ou imprima-o como PDF, ou faça uma captura de tela, e adicione o novo arquivo. Aceitamos PDF, JPEG, HEIC, PNG e TIFF.
file-extra = Este arquivo tem outros dados além do documento. Imprima-o em um novo PDF ou tire outra foto e adicione o novo arquivo.
file-encrypted = Este arquivo tem senha. Salve-o sem senha e adicione-o novamente.
file-damaged = Este arquivo está danificado ou incompleto. Abra-o no seu aparelho para verificar e adicione-o novamente.
file-too-many-pages = Este arquivo tem mais de 30 páginas. Adicione somente as páginas que importam.
file-too-many-pixels = Esta imagem é grande demais. Tire-a novamente com resolução menor.
file-too-many = Não há espaço para este arquivo. Remova outro primeiro.
file-quota = Você já enviou tudo o que é permitido. Tente novamente amanhã.
file-mismatch = Este arquivo mudou ou não existe mais. Remova-o e adicione-o novamente.
upload-remove-title = Remover este envio?
upload-remove-text = Os arquivos que você adicionou serão excluídos. Nada foi enviado.
upload-remove-yes = Remover
upload-remove-no = Manter
photo-title = Confira a foto
photo-text = Dá para ler cada palavra? A página inteira aparece na foto?
photo-blurred = Esta foto parece desfocada. Se não der para ler as letras pequenas, tire outra com a mão firme.
photo-dark = Esta foto está escura. Tire outra com mais luz e sem sombra na página.
photo-alt = Foto { $name }
photo-turn = Girar
photo-frame = Cortar
photo-use = Usar esta foto
photo-retake = Remover e tirar outra
photo-discard = Remover
photo-frame-title = Corte a foto
photo-frame-text = Arraste as bordas até as bordas da página.
photo-left = Borda esquerda
photo-top = Borda superior
photo-right = Borda direita
photo-bottom = Borda inferior
photo-crop = Cortar
photo-unframe = Cancelar
photo-waiting = Aguarda a sua conferência
photo-help = Deixe a página plana e bem iluminada, e enquadre-a inteira na foto.
reading-title = Lendo o seu documento
reading-text = Costuma levar menos de um minuto. Você pode fechar esta janela; a leitura continuará.
reading-received = Arquivos recebidos
reading-queued = Aguardando a vez
reading-pages = Lendo as páginas
reading-checked = Conferindo o resultado
archive-read-title = O seu documento foi lido
archive-read-text = { $company } já pode usar os dados dele.
archive-another = Enviar outro documento
archive-unrecognized-title = Não conseguimos ler este documento
archive-unrecognized-next = Tire a foto novamente: plana, com boa luz, sem reflexo e com os quatro cantos visíveis. Um PDF de quem emitiu funciona melhor.
archive-unknown-title = Não conhecemos este tipo de documento
archive-unknown-next = Foi possível ler o texto, mas não parece ser um dos documentos solicitados. Verifique se está completo ou envie outro.
archive-people-title = Estes documentos são de várias pessoas
archive-people-next = Envie somente os documentos de uma pessoa: os seus.
archive-form-title = Não é possível ler este formulário
archive-form-next = Os dados não estão nas páginas dele. Abra o arquivo, escolha Imprimir, salve como PDF e envie o novo arquivo.
archive-portfolio-title = Este PDF contém outros arquivos
archive-portfolio-next = Abra-o, salve à parte o documento de que você precisa e envie esse arquivo.
archive-chosen = O tipo que você escolheu
archive-wrong-title = Parece ser outro tipo de documento
archive-wrong-next = Escolha o tipo a que ele pertence ou envie o documento solicitado.
archive-unreadable-title = Não é possível abrir um arquivo
archive-unreadable-next = Ele está danificado ou tem senha. Salve-o novamente sem senha e envie-o.
archive-away-title = A leitura não é possível no momento
archive-away-next = Não há nada errado com os seus arquivos. Tente novamente em alguns minutos.
archive-fault-title = Algo falhou do nosso lado
archive-fault-next = Não há nada errado com os seus arquivos. Envie-os novamente.
archive-again = Enviar de novo
archive-other = Escolher outro tipo

### On the phone

handoff-offer = Continuar no celular
handoff-title = Continue no seu celular
handoff-scan = Aponte a câmera do celular para este código e abra a página que ele oferece.
handoff-once = O código funciona uma vez, por 10 minutos. Não o mostre a ninguém: a pessoa poderia continuar no seu lugar.
handoff-alt = Código QR que abre esta etapa no seu celular
handoff-here = Continuar aqui
handoff-again = Mostrar um novo código
handoff-continued-title = Você está continuando no celular
handoff-continued-text = Mantenha esta página aberta. Ela continua sozinha quando você terminar no celular.
handoff-continued-warning = Não foi você? Escolha “Continuar aqui”, e o outro aparelho não poderá fazer mais nada.
handoff-expired-title = O código expirou
handoff-expired-text = Nada foi perdido. Mostre um novo código ou continue aqui.
handoff-left-title = Você saiu da página no celular
handoff-left-text = O que você já enviou está guardado. Mostre um novo código ou continue aqui.
handoff-arrival-title = Continue neste celular
handoff-arrival-text = Você continua aqui o que começou no computador com { $company }.
handoff-arrival-warning = Continue somente se você leu o código na sua própria tela. Se alguém o enviou, feche esta página: essa pessoa receberia o que você informar.
handoff-continue = Continuar
handoff-done-title = Tudo pronto aqui
handoff-done-text = Volte ao computador. Ele continua de lá.
handoff-back-title = Continue no computador
handoff-back-text = O computador mostra o que fazer agora. Você pode fechar esta página.
handoff-dead-title = Este código não funciona mais
handoff-dead-text = Um código funciona uma vez, por 10 minutos. Mostre um novo no computador e leia-o.
