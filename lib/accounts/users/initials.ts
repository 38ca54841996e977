import type { CtxUser } from '@/lib/base/context/ctx'

/** Returns the initials of first and last name, else the first letter of the login. */
export function initialsOf({ firstName, lastName, login }: Pick<CtxUser, 'firstName' | 'lastName' | 'login'>): string {
  const first = (name: string) => [...name][0] ?? ''
  return first(firstName) + first(lastName) || first(login)
}

/** Returns the first letters of the first two words of a name, or of the only one. */
export const initialsOfName = (name: string): string =>
  name
    .split(' ')
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
