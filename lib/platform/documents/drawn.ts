import { drawMarkup } from '@/lib/kernel/markup'
import { storeDrawn } from './queries'

type Stored = { documentId: string; version: number; localeId: string; content: string; format: 'md' | 'html' }

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const plain = (text: string) => `<p>${text.replace(/[&<>]/g, (sign) => signs[sign] ?? sign)}</p>`

/**
 * Returns texts with their HTML. One that isn't drawn yet, because an earlier version of the platform stored it, is drawn
 * once and kept. What is too large is shown as it was written, and so is, until it is read anew, what a busy machine didn't
 * draw in time.
 */
export async function withHtml<T extends Stored & { html: string | null }>(texts: readonly T[]) {
  const all: (T & { html: string })[] = []
  for (const text of texts) {
    const drawn = text.html === null ? await drawMarkup(text.content, text.format) : { html: text.html }
    const html = 'html' in drawn ? drawn.html : plain(text.content)
    const isLate = 'fault' in drawn && drawn.fault === 'late'
    if (text.html === null && !isLate) await storeDrawn(text, html)
    all.push({ ...text, html })
  }
  return all
}
