/**
 * The name under which password managers keep the form's password. Out of sight, yet laid out: several of them
 * pass over a field that isn't.
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
