/** The texts of the bridge's own screen. */

/** Why the widget is not shown, as far as the person needs to know. */
export type Reason = "offline" | "blocked" | "setup" | "old" | "broken";

export interface Words {
  locale: string;
  title: string;
  close: string;
  retry: string;
  wait: string;
  reasons: Record<Reason, [title: string, text: string]>;
}

const WORDS: Words[] = [
  {
    locale: "en",
    title: "Connect an account",
    close: "Close",
    retry: "Try again",
    wait: "Getting ready…",
    reasons: {
      offline: ["You seem to be offline", "We can’t reach the service. Check your internet connection, then try again."],
      blocked: ["This window is blocked", "A browser extension or your network may block it. Allow it for this site, or use another browser, then try again."],
      setup: ["This page isn’t set up correctly", "The window can’t open from this page. Nothing you can do here fixes it. Please tell the company whose page this is."],
      old: ["This browser can’t show the window", "Update your browser, or use another one."],
      broken: ["This didn’t load", "The problem is on our side. Wait a moment, then try again."],
    },
  },
  {
    locale: "es-MX",
    title: "Conecta una cuenta",
    close: "Cerrar",
    retry: "Intentar de nuevo",
    wait: "Preparando todo…",
    reasons: {
      offline: ["Parece que no tienes conexión", "No podemos comunicarnos con el servicio. Revisa tu conexión a internet e intenta de nuevo."],
      blocked: ["Esta ventana está bloqueada", "Puede que la bloquee una extensión del navegador o tu red. Permítela en este sitio o usa otro navegador, e intenta de nuevo."],
      setup: ["Esta página no está bien configurada", "La ventana no puede abrirse desde esta página y no puedes arreglarlo aquí. Avisa a la empresa dueña de la página."],
      old: ["Este navegador no puede mostrar la ventana", "Actualiza tu navegador o usa otro."],
      broken: ["No se pudo cargar", "El problema es nuestro. Espera un momento e intenta de nuevo."],
    },
  },
  {
    locale: "fil",
    title: "Ikonekta ang isang account",
    close: "Isara",
    retry: "Subukan ulit",
    wait: "Inihahanda na…",
    reasons: {
      offline: ["Mukhang offline ka", "Hindi namin maabot ang serbisyo. I-check ang iyong internet connection at subukan ulit."],
      blocked: ["Naka-block ang window na ito", "Maaaring bina-block ito ng extension ng browser o ng network mo. Payagan ito sa site na ito o gumamit ng ibang browser, at subukan ulit."],
      setup: ["Hindi tama ang setup ng pahinang ito", "Hindi mabuksan ang window mula sa pahinang ito, at hindi mo ito maaayos dito. Pakisabi sa kompanyang may-ari ng pahina."],
      old: ["Hindi ito maipakita ng browser na ito", "I-update ang iyong browser o gumamit ng iba."],
      broken: ["Hindi ito nag-load", "Sa amin ang problema. Maghintay sandali at subukan ulit."],
    },
  },
  {
    locale: "id",
    title: "Hubungkan akun",
    close: "Tutup",
    retry: "Coba lagi",
    wait: "Menyiapkan…",
    reasons: {
      offline: ["Anda sepertinya sedang offline", "Kami tidak dapat menghubungi layanan. Periksa koneksi internet Anda, lalu coba lagi."],
      blocked: ["Jendela ini diblokir", "Ekstensi browser atau jaringan Anda mungkin memblokirnya. Izinkan untuk situs ini atau gunakan browser lain, lalu coba lagi."],
      setup: ["Halaman ini belum diatur dengan benar", "Jendela tidak dapat dibuka dari halaman ini dan Anda tidak dapat memperbaikinya di sini. Beri tahu perusahaan pemilik halaman ini."],
      old: ["Browser ini tidak dapat menampilkan jendela", "Perbarui browser Anda atau gunakan yang lain."],
      broken: ["Tidak dapat dimuat", "Masalahnya ada di pihak kami. Tunggu sebentar, lalu coba lagi."],
    },
  },
  {
    locale: "pt-BR",
    title: "Conecte uma conta",
    close: "Fechar",
    retry: "Tentar novamente",
    wait: "Preparando tudo…",
    reasons: {
      offline: ["Parece que você está sem internet", "Não conseguimos acessar o serviço. Verifique a sua conexão com a internet e tente novamente."],
      blocked: ["Esta janela está bloqueada", "Uma extensão do navegador ou a sua rede pode estar bloqueando a janela. Permita-a neste site ou use outro navegador e tente novamente."],
      setup: ["Esta página não está configurada corretamente", "A janela não pode ser aberta a partir desta página, e você não consegue corrigir isso aqui. Avise a empresa dona da página."],
      old: ["Este navegador não consegue mostrar a janela", "Atualize o seu navegador ou use outro."],
      broken: ["Não foi possível carregar", "O problema é nosso. Aguarde um momento e tente novamente."],
    },
  },
  {
    locale: "zh-Hans",
    title: "关联账户",
    close: "关闭",
    retry: "重试",
    wait: "正在准备…",
    reasons: {
      offline: ["您似乎已离线", "我们无法连接到服务。请检查网络连接，然后重试。"],
      blocked: ["此窗口被拦截", "浏览器扩展程序或您的网络可能拦截了它。请对此网站放行，或换用其他浏览器，然后重试。"],
      setup: ["此页面的设置不正确", "无法从此页面打开窗口，您在这里也无法解决。请告知此页面所属的公司。"],
      old: ["此浏览器无法显示该窗口", "请更新您的浏览器，或换用其他浏览器。"],
      broken: ["未能加载", "问题出在我们这边。请稍等片刻，然后重试。"],
    },
  },
  {
    locale: "ar",
    title: "ربط حساب",
    close: "إغلاق",
    retry: "إعادة المحاولة",
    wait: "جارٍ التحضير…",
    reasons: {
      offline: ["يبدو أنك غير متصل بالإنترنت", "يتعذر علينا الوصول إلى الخدمة. تحقق من اتصالك بالإنترنت ثم أعد المحاولة."],
      blocked: ["هذه النافذة محظورة", "قد تحظرها إضافة في المتصفح أو شبكتك. اسمح بها في هذا الموقع أو استخدم متصفحًا آخر ثم أعد المحاولة."],
      setup: ["هذه الصفحة غير معدّة بشكل صحيح", "لا يمكن فتح النافذة من هذه الصفحة، ولا يمكنك إصلاح ذلك هنا. يُرجى إبلاغ الشركة صاحبة الصفحة."],
      old: ["لا يستطيع هذا المتصفح عرض النافذة", "حدّث متصفحك أو استخدم متصفحًا آخر."],
      broken: ["تعذّر التحميل", "المشكلة من جانبنا. انتظر قليلًا ثم أعد المحاولة."],
    },
  },
];

/** Returns the texts of the first tag that has some, or the English ones. */
export function wordsFor(tags: readonly unknown[]): Words {
  for (const tag of tags) {
    if (!tag || typeof tag !== "string") continue;
    for (const part of [tag, tag.split("-")[0]]) {
      const like = `${part}-`.toLowerCase();
      const found = WORDS.find(({ locale }) => `${locale}-`.toLowerCase().startsWith(like));
      if (found) return found;
    }
  }
  return WORDS[0]!;
}
