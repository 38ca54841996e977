import { Fragment } from 'react'

/**
 * Returns an e-mail, a login or a web address that, if it is too long for its line, breaks after `@` or a slash and
 * before a dot. It is one element, so that a grid places it as one; the break opportunities are hidden from screen
 * readers, which would read the address in parts.
 */
export const AddressText = ({ children: text }: { children: string }) => (
  <span>
    {text.split(/(?<=@|[^:/]\/)|(?=\.)/).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change places
      <Fragment key={index}>
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: nobody can focus the place of a break */}
        {index > 0 ? <wbr aria-hidden="true" /> : null}
        {part}
      </Fragment>
    ))}
  </span>
)
