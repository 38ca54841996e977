import { mask, maskSecrets } from '@/lib/base/text/masks'

/** The most bytes of a message in the journal. */
export const maxJournalBytes = 1024 * 1024

/** Names of members and headers whose values are secrets, without separators and in lower case. */
const secretNames =
  /pass(?:word|wd|phrase|code)|^pwd$|secret|token|api-?key|access-?key|private-?key|authorization|cookie|credential|session-?id|signature|^otp$/
const isSecretName = (name: string) => secretNames.test(name.replace(/[_.\s]/g, '-').toLowerCase())

/** Masks the values of members with secret names, at any depth. A list under a secret name is masked as a whole. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretName(name) && inner !== null && inner !== '' ? mask : withoutSecrets(inner),
    ]),
  )
}

/** `name=value` and `"name": "value"` in a text that is no JSON. */
const pairs =
  /("?)([\w.-]{0,40}(?:pass(?:word|wd|phrase|code)|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|authorization|cookie|credential)[\w.-]{0,40})\1(\s{0,5}[:=]\s{0,5})("[^"\n]*"|'[^'\n]*'|(?:(?:Bearer|Basic)\s)?[^\s"'&<>,;}]+)/gi

function bodyOf(body: string): string {
  try {
    const json = JSON.parse(body) as unknown
    if (typeof json === 'object' && json !== null) return JSON.stringify(withoutSecrets(json))
  } catch {
    // the text is no JSON
  }
  return body.replace(pairs, (_, quote: string, name: string, sign: string) => `${quote}${name}${quote}${sign}${mask}`)
}

/** Cuts a text to this many bytes of UTF-8, between characters. */
function cut(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const end = '\n…'
  const beginning = Buffer.from(text).subarray(0, maxBytes - Buffer.byteLength(end) - 3)
  return `${beginning.toString('utf8').replace(/\ufffd+$/, '')}${end}`
}

type Message = { head: string; headers: Iterable<readonly [string, string]>; body: string }

/**
 * Returns a message in the form of the journal: without the values of headers and members with secret names, and
 * without these secrets anywhere; 1 MiB at most (docs/rules/integration.md#journal).
 */
export function journalText({ head, headers, body }: Message, secrets: readonly string[]): string {
  const lines = [...headers].map(([name, value]) => `${name}: ${isSecretName(name) ? mask : value}`)
  const whole = [head, ...lines, '', bodyOf(body)].join('\n')
  const clean = maskSecrets(whole, secrets)
  // PostgreSQL stores neither NUL nor half of a surrogate pair
  return cut(clean.replaceAll('\0', '\ufffd').toWellFormed(), maxJournalBytes)
}
