/**
 * The user name under which password managers store the form's password. It is invisible but has a layout, because
 * several password managers ignore hidden fields.
 */
export const AccountName = ({ value }: { value: string }) => (
  <input
    readOnly
    type="text"
    name="username"
    autoComplete="username"
    value={value}
    tabIndex={-1}
    aria-hidden="true"
    className="sr-only"
  />
)
