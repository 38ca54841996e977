import { emblems } from '@/lib/base/pictures/emblems'
import { styleSheet } from './style-templates'

type Page = {
  title: string
  text: string
  locale: string
  theme: string | undefined
  domain: { styleTemplate: string; imageCode: string }
  /** The HTML of links; every text in it is escaped. */
  actions: string
}

/** Escapes a text for HTML, attributes included. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Returns the HTML of a page in the domain's look that needs no script and no other file. */
export function standalonePage({ title, text, locale, theme, domain, actions }: Page): string {
  const scheme = theme === 'light' || theme === 'dark' ? theme : 'light dark'
  const emblem = Object.hasOwn(emblems, domain.imageCode)
    ? emblems[domain.imageCode as keyof typeof emblems]
    : emblems.default
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
h1,p{overflow-wrap:anywhere}
@media(max-width:30rem){h1{font-size:1.3125rem;line-height:1.625rem}}
a{display:inline-flex;align-items:center;min-height:3rem;padding:0 1.25rem;border:1px solid transparent;border-radius:8px;font:inherit;font-weight:500;text-decoration:none;cursor:pointer;background:light-dark(var(--brand-on-light),var(--brand-on-dark));color:light-dark(var(--brand-ink-on-light),var(--brand-ink-on-dark))}
a:focus-visible{outline:2px solid light-dark(var(--brand-on-light),var(--brand-on-dark));outline-offset:2px}
@media (max-width:30rem){main>a{justify-self:stretch;justify-content:center}}
</style>
</head>
<body>
<main>
<svg viewBox="0 0 32 32" aria-hidden="true"><path d="${emblem}"/></svg>
<div><h1>${escaped(title)}</h1><p>${escaped(text)}</p></div>
${actions}
</main>
</body>
</html>
`
}
