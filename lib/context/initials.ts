import type { CtxUser } from '@/lib/kernel/ctx'

/** Of the first and the last name, else of the login. */
export function initialsOf({ firstName, lastName, login }: Pick<CtxUser, 'firstName' | 'lastName' | 'login'>): string {
  const first = (name: string) => [...name][0] ?? ''
  return first(firstName) + first(lastName) || first(login)
}
