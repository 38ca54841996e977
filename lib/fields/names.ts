/** A person's name as calls take it: the whole name, its three parts, or both. */
export type NameInput = {
  fio?: string | undefined
  lastName?: string | undefined
  firstName?: string | undefined
  middleName?: string | undefined
}
export type Names = { fio: string; lastName: string; firstName: string; middleName: string }

/**
 * Returns a typed name in the form in which it is stored: normalized letters, single spaces, and no invisible
 * characters, such as those that change the direction of writing. Joiners between letters stay: some scripts need them.
 */
export const tidyName = (text: string | undefined) =>
  (text ?? '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/(?![\u200c\u200d])[\p{C}\p{DI}]/gu, '')
    .replace(/([\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])|[\u200c\u200d]/gu, (match, letter) => (letter ? match : ''))
    .trim()

/**
 * Returns the four columns of a name from the whole name or from its parts (docs/rules/people.md#names); if both are
 * given, the parts are used. The other form is made in the order of the language: last, first, middle in Russian;
 * first, middle, last elsewhere. A single word is a first name.
 */
export function namesFrom(input: NameInput, locale: string): Names {
  const parts = {
    lastName: tidyName(input.lastName),
    firstName: tidyName(input.firstName),
    middleName: tidyName(input.middleName),
  }
  if (Object.values(parts).some(Boolean)) return { ...parts, fio: fioOf(parts, locale) }
  const fio = tidyName(input.fio)
  const words = fio.split(' ').filter(Boolean)
  if (words.length < 2) return { fio, lastName: '', firstName: fio, middleName: '' }
  const [firstWord = '', ...otherWords] = words
  if (locale === 'ru') {
    const [firstName = '', ...middle] = otherWords
    return { fio, lastName: firstWord, firstName, middleName: middle.join(' ') }
  }
  return { fio, lastName: otherWords.at(-1) ?? '', firstName: firstWord, middleName: otherWords.slice(0, -1).join(' ') }
}

/**
 * Returns the names of an account after a name was sent, as `namesFrom` does for a new one. If the sent name is the one
 * that the account has, both forms stay as they are: in another language the same words would become other parts, and
 * the same parts another order.
 */
export function namesAfter(input: NameInput, account: Names | null, locale: string): Names {
  const { lastName, firstName, middleName } = account ?? { lastName: '', firstName: '', middleName: '' }
  const names = namesFrom(input, locale)
  if (!account || ![lastName, firstName, middleName].some(Boolean)) return names
  const { fio } = account
  const sentParts = [input.lastName, input.firstName, input.middleName].map(tidyName)
  const isUnchanged = sentParts.some(Boolean)
    ? sentParts.every((part, index) => part === [lastName, firstName, middleName][index])
    : tidyName(input.fio) === fio
  return isUnchanged && fio !== '' ? { fio, lastName, firstName, middleName } : names
}

/** Returns the whole name from its parts, in the order of the language. */
const fioOf = ({ lastName, firstName, middleName }: Omit<Names, 'fio'>, locale: string) =>
  (locale === 'ru' ? [lastName, firstName, middleName] : [firstName, middleName, lastName]).filter(Boolean).join(' ')

const nameWord = "\\p{L}[\\p{L}\\p{M}'’-]*"
const looksLikeName = new RegExp(`^${nameWord}(?: ${nameWord}){0,2}$`, 'u')

/**
 * Returns the name with which a mail greets a person who hasn't proven their e-mail yet: the first name if it looks
 * like a name, otherwise ''. Texts that mail programs turn into links (with dots, slashes, colons) and sentences don't
 * look like one.
 */
export const greetingFrom = ({ firstName }: Pick<Names, 'firstName'>) =>
  firstName.length <= 40 && looksLikeName.test(firstName) ? firstName : ''
