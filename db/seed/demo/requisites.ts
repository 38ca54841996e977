const weighed = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0)

const innWeights = [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]

/** Adds the check digit of a company's inn to its nine digits, or both of a person's to their ten. */
export function withInnCheck(digits: string): string {
  const add = (known: string) => known + ((weighed(known, innWeights.slice(-known.length)) % 11) % 10)
  if (!/^\d{9,10}$/.test(digits)) throw new Error('an inn has nine or ten digits before its check digits')
  return digits.length === 9 ? add(digits) : add(add(digits))
}

/** Adds the check digit to the twelve digits of an ogrn, or the fourteen of a sole proprietor's. */
export function withOgrnCheck(digits: string): string {
  if (!/^(\d{12}|\d{14})$/.test(digits)) throw new Error('an ogrn has twelve or fourteen digits before its check digit')
  return digits + ((Number(digits) % (digits.length - 1)) % 10)
}

/** Adds the check digit to the seven digits of an okpo code. */
export function withOkpoCheck(digits: string): string {
  if (!/^\d{7}$/.test(digits)) throw new Error('an okpo code has seven digits before its check digit')
  const check = weighed(digits, [1, 2, 3, 4, 5, 6, 7]) % 11
  return digits + (check < 10 ? check : (weighed(digits, [3, 4, 5, 6, 7, 8, 9]) % 11) % 10)
}

/** The kpp of a head office: the tax office that the inn begins with, then the reason and number of registration. */
export const headOfficeKpp = (inn: string) => `${inn.slice(0, 4)}01001`
