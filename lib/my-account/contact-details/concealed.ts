/**
 * Returns the first and last character of an e-mail's name, or the last digits of a number, so that its owner
 * recognizes it.
 */
export const concealed = (kind: 'email' | 'mobile', value: string) =>
  kind === 'email' ? value.replace(/^(.).*?(.?)@/u, '$1***$2@') : value.replace(/^(\+\d)\d+(\d{2})$/, '$1***$2')
