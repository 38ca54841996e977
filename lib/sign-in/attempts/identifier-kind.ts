import type { IdAttribute } from './contract'

const looksLikePhone = (text: string) => /^[+\d\s()-]+$/.test(text)
const digits = (text: string) => text.replace(/\D/g, '').length

/**
 * Returns the kind of a text that was typed into the field for login, e-mail or mobile
 * (docs/rules/sign-in.md#identifiers). If that kind isn't allowed, returns the most similar allowed one.
 */
export function identifierKind(text: string, allowed: readonly [IdAttribute, ...IdAttribute[]]): IdAttribute {
  const typed = text.trim()
  const phone = looksLikePhone(typed)
  const order: IdAttribute[] = typed.includes('@')
    ? ['email', 'login', 'mobile']
    : phone && digits(typed) >= 10
      ? ['mobile', 'login', 'email']
      : phone
        ? ['login', 'mobile', 'email']
        : ['login', 'email', 'mobile']
  return order.find((kind) => allowed.includes(kind)) ?? allowed[0]
}
