import type { CtxUser } from '@/lib/kernel/ctx'

/** Returns the initials of first and last name, else the first letter of the login. */
export function initialsOf({ firstName, lastName, login }: Pick<CtxUser, 'firstName' | 'lastName' | 'login'>): string {
  const first = (name: string) => [...name][0] ?? ''
  return first(firstName) + first(lastName) || first(login)
}
