/** The first and the last character of an e-mail's name, or the last digits of a number: enough for its owner. */
export const concealed = (kind: 'email' | 'mobile', value: string) =>
  kind === 'email' ? value.replace(/^(.).*?(.?)@/u, '$1***$2@') : value.replace(/^(\+\d)\d+(\d{2})$/, '$1***$2')
