/** Continues at a place in the text; returns true if the rest matches. */
type Next = (at: number) => boolean
type Piece = (text: string[], at: number, step: () => void, next: Next) => boolean

const set = (source: string): Piece => {
  const one = new RegExp(`^${source}$`, 'u')
  return (text, at, step, next) => {
    step()
    const sign = text[at]
    return sign !== undefined && one.test(sign) && next(at + 1)
  }
}
const edge: Record<string, Piece> = {
  '^': (_, at, step, next) => {
    step()
    return at === 0 && next(at)
  },
  $: (text, at, step, next) => {
    step()
    return at === text.length && next(at)
  },
}

const inOrder = (pieces: Piece[]): Piece =>
  pieces.reduceRight<Piece>(
    (rest, piece) => (text, at, step, next) => piece(text, at, step, (to) => rest(text, to, step, next)),
    (_, at, __, next) => next(at),
  )

function repeated(piece: Piece, from: number, to: number, lazy: boolean): Piece {
  const more = (count: number): Piece => {
    return (text, at, step, next) => {
      step()
      const again = () =>
        count < to &&
        piece(text, at, step, (end) => (end > at || count < from) && more(count + 1)(text, end, step, next))
      const on = () => count >= from && next(at)
      return lazy ? on() || again() : again() || on()
    }
  }
  return more(0)
}

/** Runs a regular expression as a backtracking engine does, for the syntax that safe patterns may have. */
function parse(pattern: string): Piece {
  let at = 0
  const alternatives = (): Piece => {
    const all: Piece[] = []
    let pieces: Piece[] = []
    for (; at < pattern.length && pattern[at] !== ')'; ) {
      if (pattern[at] === '|') {
        at++
        all.push(inOrder(pieces))
        pieces = []
      } else pieces.push(quantified(single()))
    }
    all.push(inOrder(pieces))
    return (text, from, step, next) =>
      all.some((each) => {
        step()
        return each(text, from, step, next)
      })
  }
  const single = (): Piece => {
    if (pattern[at] === '(') {
      at += pattern.startsWith('(?:', at) ? 3 : 1
      const inside = alternatives()
      at++
      return inside
    }
    const [source = ''] =
      /^(?:\\[pP]\{[^}]*\}|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S])/u.exec(pattern.slice(at)) ?? []
    at += source.length
    return edge[source] ?? set(source)
  }
  const quantified = (piece: Piece): Piece => {
    const [all = '', sign, from, comma, to, lazy] =
      /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\?)?/.exec(pattern.slice(at)) ?? []
    if (!all) return piece
    at += all.length
    if (sign) return repeated(piece, sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY, Boolean(lazy))
    const most = comma ? (to ? Number(to) : Number.POSITIVE_INFINITY) : Number(from)
    return repeated(piece, Number(from), most, Boolean(lazy))
  }
  return alternatives()
}

/** Searches a pattern at every place of a text. Returns whether it matches and the number of steps, up to a limit. */
export function backtrack(pattern: string, text: string, limit: number): { found: boolean; steps: number } {
  const piece = parse(pattern)
  const signs = [...text]
  let steps = 0
  const enough = new Error('too many steps')
  const step = () => {
    if (++steps > limit) throw enough
  }
  try {
    const matches = signs.concat('').some((_, at) => piece(signs, at, step, () => true))
    return { found: matches, steps }
  } catch (error) {
    if (error !== enough) throw error
    return { found: false, steps }
  }
}
