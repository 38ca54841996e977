let given = 0

/** Returns the code of a language, three letters, that no test of this file has got. */
export function freeLanguageCode(): string {
  const at = given++
  return [at / 676, at / 26, at].map((place) => String.fromCharCode(97 + (Math.floor(place) % 26))).join('')
}
