import { drawMarkup } from '@/lib/kernel/markup'
import { storeDrawn } from './queries'

type Stored = { documentId: string; version: number; localeId: string; content: string; format: 'md' | 'html' }

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const plain = (text: string) => `<p>${text.replace(/[&<>]/g, (sign) => signs[sign] ?? sign)}</p>`

/**
 * Returns texts with their HTML. One that isn't drawn yet, because an earlier version of the platform stored it, is drawn
 * once and kept; what can't be drawn is shown as it was written.
 */
export async function withHtml<T extends Stored & { html: string | null }>(texts: readonly T[]) {
  const all: (T & { html: string })[] = []
  for (const text of texts) {
    const html = text.html ?? (await drawMarkup(text.content, text.format)) ?? plain(text.content)
    if (text.html === null) await storeDrawn(text, html)
    all.push({ ...text, html })
  }
  return all
}
