import { marks } from '@/lib/kernel/marks'
import { styleSheet } from './style-templates'

type Page = {
  title: string
  text: string
  locale: string
  theme: string | undefined
  domain: { styleTemplate: string; imageCode: string }
  /** HTML of links and forms, in which every text is escaped. */
  actions: string
}

/** Escapes a text for HTML, attributes included. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Returns a page in the domain's look that needs no script and no other file. */
export function standalonePage({ title, text, locale, theme, domain, actions }: Page): string {
  const scheme = theme === 'light' || theme === 'dark' ? theme : 'light dark'
  const mark = Object.hasOwn(marks, domain.imageCode) ? marks[domain.imageCode as keyof typeof marks] : marks.default
  return `<!doctype html>
<html lang="${escaped(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>
${styleSheet(domain.styleTemplate)}
:root{color-scheme:${scheme}}
*{box-sizing:border-box;margin:0}
body{min-height:100dvh;display:grid;align-content:center;padding:3rem clamp(1rem,10vw,9rem);font:0.9375rem/1.5 "Golos Text Variable",Arial,system-ui,sans-serif;background:light-dark(#fbfbf9,#111417);color:light-dark(#171a1f,#eceef0)}
main{display:grid;justify-items:start;gap:1.5rem;max-width:30rem}
svg{width:2.5rem;height:2.5rem;fill:light-dark(var(--brand-on-light),var(--brand-on-dark))}
h1{font-size:1.75rem;line-height:2.125rem;font-weight:600;letter-spacing:-.01em;text-wrap:balance}
p{color:light-dark(#555b66,#a9b0b8);margin-top:.5rem;text-wrap:pretty}
form,.actions{display:flex;flex-wrap:wrap;gap:.75rem}
form{align-items:start}
h1,dd,li,p{overflow-wrap:anywhere}
@media(max-width:30rem){h1{font-size:1.3125rem;line-height:1.625rem}}
h2{font-size:.9375rem;font-weight:600}
.wide{display:grid;gap:1.5rem;width:100%}
.note{font-size:.8125rem;line-height:1.125rem;margin:0}
ul{list-style:none;padding:0;margin-top:.5rem;border:1px solid light-dark(#e3e3dc,#2a3036);border-radius:12px;background:light-dark(#fff,#181c20)}
li{display:grid;gap:.125rem;padding:.75rem 1rem}
li+li{border-top:1px solid light-dark(#e3e3dc,#2a3036)}
li b,dd{font-weight:500}
li span,dt,.note{color:light-dark(#555b66,#a9b0b8)}
li span,dt{font-size:.8125rem;line-height:1.125rem}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,11rem),1fr));gap:1rem;padding:1rem;border:1px solid light-dark(#e3e3dc,#2a3036);border-radius:12px;background:light-dark(#fff,#181c20)}
dd{margin:.125rem 0 0}
.code{grid-column:1/-1}
.code dd{font:600 1.75rem/2.125rem ui-monospace,Menlo,Consolas,monospace;letter-spacing:.08em}
label{display:grid;gap:.375rem;width:100%;font-weight:500}
label span{font-weight:400}
input:not([type=hidden]){width:100%;max-width:20rem;height:3rem;padding:0 .875rem;border:1px solid light-dark(#858b95,#747c85);border-radius:8px;background:light-dark(#fff,#181c20);color:inherit;font:500 1.125rem/1.5 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.08em;text-transform:uppercase}
input[aria-invalid]{border-color:light-dark(#b8322a,#ff8a80)}
.alert{padding:.75rem 1rem;border-radius:8px;background:light-dark(#fbeae8,#3a1c1a);color:light-dark(#b8322a,#ff8a80);margin:0}
.warning{padding:.75rem 1rem;border-radius:8px;background:light-dark(#fdf3dc,#33270f);color:light-dark(#8a5b00,#f0b94a);margin:0}
input:focus-visible{outline:2px solid light-dark(var(--brand-on-light),var(--brand-on-dark));outline-offset:1px}
a,button{display:inline-flex;align-items:center;min-height:3rem;padding:0 1.25rem;border:1px solid transparent;border-radius:8px;font:inherit;font-weight:500;text-decoration:none;cursor:pointer;background:light-dark(var(--brand-on-light),var(--brand-on-dark));color:light-dark(var(--brand-ink-on-light),var(--brand-ink-on-dark))}
a.plain{display:inline;min-height:0;padding:0;border:0;border-radius:2px;background:none;color:light-dark(var(--brand-on-light),var(--brand-on-dark));text-decoration:underline;text-underline-offset:.2em}
.other{background:none;border-color:light-dark(#858b95,#747c85);color:inherit}
a:focus-visible,button:focus-visible{outline:2px solid light-dark(var(--brand-on-light),var(--brand-on-dark));outline-offset:2px}
@media (max-width:30rem){form,.actions,main>a{justify-self:stretch}a,button{flex:1 1 auto;justify-content:center}}
</style>
</head>
<body>
<main>
<svg viewBox="0 0 32 32" aria-hidden="true"><path d="${mark}"/></svg>
<div><h1>${escaped(title)}</h1><p>${escaped(text)}</p></div>
${actions}
</main>
</body>
</html>
`
}
