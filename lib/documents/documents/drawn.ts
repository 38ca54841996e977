import { toAppError } from '@/lib/base/http/failure'
import { drawMarkup } from '@/lib/base/markup/markup'
import { storeDrawn } from './queries'

type Stored = { documentId: string; version: number; localeId: string; content: string; format: 'md' | 'html' }

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const plain = (text: string) => `<p>${text.replace(/[&<>]/g, (sign) => signs[sign] ?? sign)}</p>`

/** Null for what a busy machine may do later. */
const unlessBusy = (error: unknown) => {
  if (toAppError(error).status === 503) return null
  throw error
}

/**
 * Returns texts with their HTML. One that isn't drawn yet, because an earlier version of the platform stored it, is drawn
 * once and kept. What is too large is shown as it was written, and so is, until it is read anew, what a busy machine didn't
 * draw in time.
 */
export async function withHtml<T extends Stored & { html: string | null }>(texts: readonly T[]) {
  const all: (T & { html: string })[] = []
  for (const text of texts) {
    if (text.html !== null) {
      all.push({ ...text, html: text.html })
      continue
    }
    const drawn = await drawMarkup(text.content, text.format).catch(unlessBusy)
    const html = drawn && 'html' in drawn ? drawn.html : plain(text.content)
    if (drawn) await storeDrawn(text, html)
    all.push({ ...text, html })
  }
  return all
}
