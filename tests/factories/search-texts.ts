import type { Random } from './random'

const letters = [
  ...'абвёЁйЙъіїґ ҐЎўABCxyzÀéÉñÅåßẞøØłŁđĐıİſ',
  ...["'", '’', '‘', 'ʼ', '`', '´', '′', '"', '«', '»', '“', '”', '-', '‑', '–', '—', '−'],
  ...['%', '_', '\\', '.', '@', '(', ')', '0', '7', '№', '²', '…', 'ﬁ', '％', '＿', 'Ａ', '\u00a0', '\u2009', '\u00ad'],
  ...['Σ', 'σ', 'ς', 'Ω', 'ά', '가', '漢', 'ｶﾞ', '𝐀', '😀', 'K'],
  // as people write them, with the letters before them
  ...['е\u0308', 'и\u0306', 'и\u0301', 'e\u0301', 'A\u030a'],
]

/** Returns a text of some words, of the letters and signs that searches fold. */
export const anyText = (random: Random): string =>
  Array.from({ length: 1 + random(4) }, () =>
    Array.from({ length: 1 + random(7) }, () => letters[random(letters.length)]).join(''),
  ).join(' ')

/** Returns a part of a text between two of its letters, without blanks around it; a letter has its accents. */
export function partOf(text: string, random: Random): string {
  const parts = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
  const start = random(parts.length)
  return parts
    .slice(start, start + 1 + random(parts.length))
    .join('')
    .trim()
}
