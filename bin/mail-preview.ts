import { mkdir, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { composeMail } from '@/lib/base/mail-and-sms/compose-mail'
import { composeSms, smsParts } from '@/lib/base/mail-and-sms/compose-sms'
import { letterHtml } from '@/lib/base/mail-and-sms/letter-html'
import { letterText } from '@/lib/base/mail-and-sms/plain-text'
import type { MailTemplate, SmsTemplate } from '@/lib/base/mail-and-sms/templates'
import { mailSamples, senders, smsSamples } from '@/lib/messaging/locale-texts/samples'

const folder = '.data/mail-preview'
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * A mail in a dark frame is dark by its own style for the theme. This applies the style whatever the theme of the
 * reader.
 */
const darkened = (html: string) => html.replace('(prefers-color-scheme:dark)', 'all')

const sheet = `
  :root{color-scheme:light dark;--line:#d4d4cc;--second:#6a707b}
  body{margin:0 auto;max-width:88rem;padding:2rem;font:15px/1.5 system-ui,sans-serif}
  h2{margin:3rem 0 .25rem;font-size:1.125rem} h3{margin:1.5rem 0 .25rem;font-size:1rem}
  p,dl{margin:.25rem 0} nav{columns:4 12rem} dt{color:var(--second)} dd{margin:0 0 .5rem}
  .row{display:flex;flex-wrap:wrap;gap:1rem;align-items:start}
  iframe{border:1px solid var(--line);border-radius:8px;height:44rem;background:#fff}
  pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:8px;padding:1rem;width:38rem;max-width:100%;box-sizing:border-box}
`

type Shown = { anchor: string; title: string; body: string }

async function mails(): Promise<Shown[]> {
  const previews: Shown[] = []
  for (const locale of textLocales)
    for (const [look, sender] of Object.entries(senders(locale))) {
      const samples = mailSamples(locale)
      for (const template of Object.keys(samples) as MailTemplate[]) {
        const letter = await composeMail(template, locale, samples[template], sender)
        const html = await letterHtml(letter)
        const name = `${template}-${locale}-${look}`
        await writeFile(`${folder}/${name}.html`, html)
        await writeFile(`${folder}/${name}-dark.html`, darkened(html))
        await writeFile(`${folder}/${name}.txt`, letterText(letter))
        const frame = (file: string, width: number) =>
          `<iframe src="${file}" title="${escaped(letter.subject)}" width="${width}" loading="lazy"></iframe>`
        const links = ['.html', '-dark.html', '.txt'].map((end) => `<a href="${name}${end}">${name}${end}</a>`)
        previews.push({
          anchor: name,
          title: name,
          body: `<dl><dt>Subject</dt><dd>${escaped(letter.subject)}</dd><dt>Preheader</dt><dd>${escaped(letter.preheader)}</dd></dl>
            <p>${links.join(' · ')}</p>
            <div class="row">${frame(`${name}.html`, 640)}${frame(`${name}-dark.html`, 360)}</div>
            <details><summary>Text</summary><pre>${escaped(letterText(letter))}</pre></details>`,
        })
      }
    }
  return previews
}

async function sms(): Promise<Shown[]> {
  const previews: Shown[] = []
  for (const locale of textLocales)
    for (const [look, sender] of Object.entries(senders(locale))) {
      const samples = smsSamples(locale)
      for (const template of Object.keys(samples) as SmsTemplate[]) {
        const { text } = await composeSms(template, locale, samples[template], sender)
        const name = `sms-${template}-${locale}-${look}`
        await writeFile(`${folder}/${name}.txt`, text)
        const size = `${text.length} characters, parts: ${smsParts(text)}`
        previews.push({ anchor: name, title: name, body: `<p>${size}</p><pre>${escaped(text)}</pre>` })
      }
    }
  return previews
}

/** Renders every mail and SMS in every language and theme into a folder, and writes a page that shows them all. */
async function main() {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const all = [...(await mails()), ...(await sms())]
  const page = [
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Mails and SMS</title><style>${sheet}</style>`,
    `<h1>Mails and SMS</h1><nav>${all.map(({ anchor, title }) => `<a href="#${anchor}">${title}</a><br>`).join('')}</nav>`,
    ...all.map(({ anchor, title, body }) => `<section id="${anchor}"><h2>${title}</h2>${body}</section>`),
  ]
  await writeFile(`${folder}/index.html`, page.join('\n'))
  console.log(`${all.length} messages: ${resolve(folder, 'index.html')}`)
}

main().catch((error: Error) => {
  console.error(error)
  process.exitCode = 1
})
