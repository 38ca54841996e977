const pairs =
  'а:a б:b в:v г:g д:d е:e ё:e ж:zh з:z и:i й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya'
const latin = new Map(pairs.split(' ').map((pair) => pair.split(':') as [string, string]))

/** The most characters of a generated code, so that a number still fits behind it. */
const maxCodeLength = 48

/** Returns a code of Latin letters, digits and hyphens for a Russian or Latin name; `fallback` when nothing is left. */
export function latinCode(name: string, fallback: string): string {
  const letters = [...name.normalize('NFC').toLowerCase()].map((letter) => latin.get(letter) ?? letter).join('')
  const plain = letters.normalize('NFD').replace(/\p{M}/gu, '')
  const code = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxCodeLength)
    .replace(/^-+|-+$/g, '')
  return code || fallback
}

/** Yields the code, then code-2, code-3 and so on up to 1000. The caller takes the first free one. */
export function* codesLike(code: string): Generator<string> {
  yield code
  for (let n = 2; n <= 1_000; n++) yield `${code}-${n}`
}
