/** What a form says of a person's name: one field or three, by the setting useUserFio. */
export type NameInput = {
  fio?: string | undefined
  lastName?: string | undefined
  firstName?: string | undefined
  middleName?: string | undefined
}
export type Names = { fio: string; lastName: string; firstName: string; middleName: string }

/**
 * What somebody typed as a name in the form in which it is stored: one spelling of each letter, single spaces, and
 * without signs that nobody sees, such as those that turn the direction of writing. Some scripts need their joiners.
 */
export const tidyName = (text: string | undefined) =>
  (text ?? '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[^\P{C}\u200c\u200d]/gu, '')
    .trim()

/**
 * The four columns of a name from the one field or the three that a form showed. A full name is taken apart as its
 * language writes it: last, first, middle in Russian; first, middle, last elsewhere. One word is a first name.
 */
export function namesFrom(input: NameInput, { useUserFio, locale }: { useUserFio: boolean; locale: string }): Names {
  if (!useUserFio) {
    const [lastName, firstName, middleName] = [input.lastName, input.firstName, input.middleName].map(tidyName)
    const names = { lastName: lastName ?? '', firstName: firstName ?? '', middleName: middleName ?? '' }
    return { ...names, fio: fioOf(names) }
  }
  const fio = tidyName(input.fio)
  const words = fio.split(' ').filter(Boolean)
  if (words.length < 2) return { fio, lastName: '', firstName: fio, middleName: '' }
  const [first = '', ...others] = words
  if (locale === 'ru') {
    const [firstName = '', ...middle] = others
    return { fio, lastName: first, firstName, middleName: middle.join(' ') }
  }
  return { fio, lastName: others.at(-1) ?? '', firstName: first, middleName: others.slice(0, -1).join(' ') }
}

/** The full name made of its parts, last name first. */
export const fioOf = ({ lastName, firstName, middleName }: Omit<Names, 'fio'>) =>
  [lastName, firstName, middleName].filter(Boolean).join(' ')

const nameWord = "\\p{L}[\\p{L}\\p{M}'’-]*"
const looksLikeName = new RegExp(`^${nameWord}(?: ${nameWord}){0,2}$`, 'u')

/**
 * How a mail greets somebody who hasn't proven to be anybody yet: the first name if it looks like one, else empty.
 * What mail programs make links of (dots, slashes, colons) doesn't, nor does a sentence.
 */
export const greetingFrom = ({ firstName }: Pick<Names, 'firstName'>) =>
  firstName.length <= 40 && looksLikeName.test(firstName) ? firstName : ''
