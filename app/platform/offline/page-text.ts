import { marks } from '@/lib/kernel/marks'
import { styleSheet } from '@/lib/platform/domains/style-templates'

type Words = { title: string; text: string; retry: string; locale: string; theme: string | undefined }
type Domain = { styleTemplate: string; imageCode: string }

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * A page that stands alone, without a script or a file beside it: the network is away when it is shown. Its link leads
 * to the address that is open, whichever that is.
 */
export function offlinePage({ title, text, retry, locale, theme, domain }: Words & { domain: Domain }): string {
  const scheme = theme === 'light' || theme === 'dark' ? theme : 'light dark'
  const mark = Object.hasOwn(marks, domain.imageCode) ? marks[domain.imageCode as keyof typeof marks] : marks.default
  return `<!doctype html>
<html lang="${escaped(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
${styleSheet(domain.styleTemplate)}
:root{color-scheme:${scheme}}
*{box-sizing:border-box;margin:0}
body{min-height:100dvh;display:grid;align-content:center;padding:3rem clamp(1rem,10vw,9rem);font:0.9375rem/1.5 "Golos Text Variable",Arial,system-ui,sans-serif;background:light-dark(#fbfbf9,#111417);color:light-dark(#171a1f,#eceef0)}
main{display:grid;justify-items:start;gap:1.5rem;max-width:30rem}
svg{width:2.5rem;height:2.5rem;fill:light-dark(var(--brand-on-light),var(--brand-on-dark))}
h1{font-size:1.75rem;line-height:2.125rem;font-weight:600;letter-spacing:-.01em}
p{color:light-dark(#555b66,#a9b0b8);margin-top:.5rem}
a{display:inline-flex;align-items:center;min-height:3rem;padding:0 1.25rem;border-radius:8px;font-weight:500;text-decoration:none;background:light-dark(var(--brand-on-light),var(--brand-on-dark));color:light-dark(var(--brand-ink-on-light),var(--brand-ink-on-dark))}
a:focus-visible{outline:2px solid light-dark(var(--brand-on-light),var(--brand-on-dark));outline-offset:2px}
</style>
</head>
<body>
<main>
<svg viewBox="0 0 32 32" aria-hidden="true"><path d="${mark}"/></svg>
<div><h1>${escaped(title)}</h1><p>${escaped(text)}</p></div>
<a href="">${escaped(retry)}</a>
</main>
</body>
</html>
`
}
