/**
 * Returns a random password with a character of each group, of this length at least; null if none is accepted. `random(n)`
 * returns an integer below n. Public pages send this function as it stands here, so it uses nothing from outside itself.
 */
export function randomPassword(
  groups: readonly string[],
  length: number,
  random: (below: number) => number,
  accepts: (password: string) => boolean,
): string | null {
  const pick = (characters: string) => characters[random(characters.length)] ?? ''
  for (let attempt = 0; attempt < 200; attempt++) {
    const signs = groups.map(pick)
    while (signs.length < length) signs.push(pick(groups.join('')))
    for (let index = signs.length - 1; index > 0; index--) {
      const otherIndex = random(index + 1)
      const swapped = signs[index] ?? ''
      signs[index] = signs[otherIndex] ?? ''
      signs[otherIndex] = swapped
    }
    const password = signs.join('')
    if (accepts(password)) return password
  }
  return null
}
