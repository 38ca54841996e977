import { searchForm } from '@/lib/base/lists/search-form'

const latin = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
const cyrillic = 'ёйцукенгшщзхъфывапролджэячсмитьбю'
const swapped = new Map(
  [...latin].flatMap((letter, index) => [
    [letter, cyrillic[index] ?? letter],
    [cyrillic[index] ?? letter, letter],
  ]),
)

/** Converts typed text to the other keyboard layout: `ghjabkm` is `профиль`. */
export const inOtherLayout = (text: string) =>
  [...text.toLowerCase()].map((letter) => swapped.get(letter) ?? letter).join('')

/**
 * Returns how well an entry matches a search; 0 is no match. Every word must begin a word of the entry or be somewhere
 * in it, as typed or in the other keyboard layout.
 */
export function paletteScore(entry: string, search: string): number {
  const plain = searchForm(entry)
  const words = plain.split(/[^\p{L}\p{N}]+/u)
  const score = (typed: string) => {
    let total = 0
    for (const part of searchForm(typed).trim().split(/\s+/)) {
      if (part === '') continue
      if (words.some((word) => word.startsWith(part))) total += 1
      else if (plain.includes(part)) total += 0.5
      else return 0
    }
    return total
  }
  const wordCount = search.trim().split(/\s+/).length
  return Math.max(score(search), score(inOtherLayout(search)) * 0.9) / wordCount
}
