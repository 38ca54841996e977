/** What a form says of a person's name: one field or three, by the setting useUserFio. */
export type NameInput = {
  fio?: string | undefined
  lastName?: string | undefined
  firstName?: string | undefined
  middleName?: string | undefined
}
export type Names = { fio: string; lastName: string; firstName: string; middleName: string }

const tidy = (text: string | undefined) => (text ?? '').trim().replace(/\s+/g, ' ')

/**
 * The four columns of a name from the one field or the three that a form showed. A full name is taken apart as its
 * language writes it: last, first, middle in Russian; first, middle, last elsewhere. One word is a first name.
 */
export function namesFrom(input: NameInput, { useUserFio, locale }: { useUserFio: boolean; locale: string }): Names {
  if (!useUserFio) {
    const [lastName, firstName, middleName] = [input.lastName, input.firstName, input.middleName].map(tidy)
    const names = { lastName: lastName ?? '', firstName: firstName ?? '', middleName: middleName ?? '' }
    return { ...names, fio: fioOf(names) }
  }
  const fio = tidy(input.fio)
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
