type Language = 'ru' | 'en'

const words = {
  ru: {
    signedInAs: 'Вы вошли через портал',
    lead: 'Приложение узнало о вас это и ничего больше:',
    portal: 'На портал',
    signOut: 'Выйти',
    signIn: 'Войти снова',
    signedOut: 'Вы вышли',
    signedOutText: 'Сеанс закончился и здесь, и на портале.',
    refused: 'Войти не удалось',
    refusedText: 'Портал ответил: {error}.',
    demo: 'Демонстрационное приложение',
  },
  en: {
    signedInAs: 'You are signed in through the portal',
    lead: 'The application learned this about you and nothing else:',
    portal: 'To the portal',
    signOut: 'Sign out',
    signIn: 'Sign in again',
    signedOut: 'You are signed out',
    signedOutText: 'The session is over here and at the portal.',
    refused: 'Sign-in failed',
    refusedText: 'The portal answered: {error}.',
    demo: 'Demo application',
  },
} satisfies Record<Language, Record<string, string>>

const names: Record<string, Record<Language, string>> = {
  procurement: { ru: 'Закупки', en: 'Procurement' },
  warehouse: { ru: 'Склад', en: 'Warehouse' },
  partner: { ru: 'Маршруты и карты', en: 'Routes and maps' },
}

const style = `*{box-sizing:border-box;margin:0}
:root{color-scheme:light dark;--ink:light-dark(#171a1f,#eceef0);--second:light-dark(#555b66,#a9b0b8);--line:light-dark(#e3e3dc,#2a3036);--brand:light-dark(#2459b8,#8ab4ff);--on:light-dark(#fff,#10151c)}
body{min-height:100dvh;padding:clamp(1rem,5vw,4rem);font:.9375rem/1.5 system-ui,sans-serif;background:light-dark(#fbfbf9,#111417);color:var(--ink)}
main{display:grid;gap:1.5rem;max-width:44rem;margin:auto}
header{display:flex;align-items:center;gap:.75rem;font-weight:600}
header b{display:grid;place-items:center;width:2.75rem;height:2.75rem;border-radius:8px;background:var(--brand);color:var(--on)}
header span span{display:block;font-weight:400;font-size:.8125rem}
h1{font-size:1.75rem;line-height:2.125rem;overflow-wrap:anywhere}p,dt,header span span{color:var(--second)}
dl{border:1px solid var(--line);border-radius:12px;background:light-dark(#fff,#181c20)}
dl div{display:grid;gap:.125rem;padding:.75rem 1rem}dl div+div{border-top:1px solid var(--line)}
@media(min-width:40rem){dl div{grid-template-columns:13rem 1fr}}
dt{font:.8125rem/1.5rem ui-monospace,monospace}dd{overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:.75rem}
a,button{display:inline-flex;align-items:center;min-height:3rem;padding:0 1.25rem;border:1px solid var(--second);border-radius:8px;font:inherit;font-weight:500;text-decoration:none;background:none;color:inherit;cursor:pointer}
.main{border-color:transparent;background:var(--brand);color:var(--on)}
a:focus-visible,button:focus-visible{outline:2px solid var(--brand);outline-offset:2px}`

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Formats a claim for people: lists and objects are shortened. */
const shownValue = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(shownValue).join(', ') || '—'
    : typeof value === 'object' && value !== null
      ? Object.values(value).map(shownValue).join(' · ')
      : String(value)

export type Shown = {
  code: string
  language: Language
  /** The address of the platform. */
  portal: string
} & ({ claims: Record<string, unknown> } | { error: string } | { signedOut: true })

/** A page of a demo application: who is signed in, that the person is signed out, or why the sign-in failed. */
export function page({ code, language, portal, ...about }: Shown): string {
  const t = words[language]
  const name = names[code]?.[language] ?? code
  const toPortal = `<a href="${escaped(portal)}">${t.portal}</a>`
  const again = `<a class="main" href="/">${t.signIn}</a>`
  const [title, body] =
    'claims' in about
      ? [
          String(about.claims.name ?? about.claims.preferred_username ?? about.claims.sub),
          `<p>${t.signedInAs}. ${t.lead}</p><nav>${toPortal}<form method="post" action="/sign-out"><button>${t.signOut}</button></form></nav><dl>${Object.entries(
            about.claims,
          )
            .map(([claim, value]) => `<div><dt>${escaped(claim)}</dt><dd>${escaped(shownValue(value))}</dd></div>`)
            .join('')}</dl>`,
        ]
      : 'error' in about
        ? [t.refused, `<p>${escaped(t.refusedText.replace('{error}', about.error))}</p><nav>${again}${toPortal}</nav>`]
        : [t.signedOut, `<p>${t.signedOutText}</p><nav>${again}${toPortal}</nav>`]
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(name)}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><main><header><b aria-hidden="true">${escaped([...name][0] ?? '')}</b><span>${escaped(name)}<span>${t.demo}</span></span></header>
<h1>${escaped(title)}</h1>${body}</main></body></html>`
}
