import { toAppError } from '@/lib/base/http/failure'
import { drawMarkup } from '@/lib/base/markup/markup'
import { storeDrawn } from './queries'

type Stored = { documentId: string; version: number; localeId: string; content: string; format: 'md' | 'html' }

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string) => `<p>${text.replace(/[&<>]/g, (sign) => escapes[sign] ?? sign)}</p>`

/** Returns null for the 503 of a busy machine; throws any other error. */
const unlessBusy = (error: unknown) => {
  if (toAppError(error).status === 503) return null
  throw error
}

/**
 * Returns texts with their HTML. A text without HTML, which an earlier version of the platform stored, is drawn and its
 * HTML is stored. A text that is too large is shown as plain text, and so is a text that a busy machine didn't draw in
 * time, until the next read.
 */
export async function withHtml<T extends Stored & { html: string | null }>(texts: readonly T[]) {
  const withMarkup: (T & { html: string })[] = []
  for (const text of texts) {
    if (text.html !== null) {
      withMarkup.push({ ...text, html: text.html })
      continue
    }
    const drawn = await drawMarkup(text.content, text.format).catch(unlessBusy)
    const html = drawn && 'html' in drawn ? drawn.html : escaped(text.content)
    if (drawn) await storeDrawn(text, html)
    withMarkup.push({ ...text, html })
  }
  return withMarkup
}
