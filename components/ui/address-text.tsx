import { Fragment } from 'react'

/**
 * Returns an e-mail, a login or a web address that breaks, where it is too long for its line, after `@` or a slash and
 * before a dot first.
 * It is one element, so that a grid places it as one; the places of a break are hidden from a reader of the page,
 * who would hear the address in parts.
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
