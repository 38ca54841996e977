/** The error of a step's only field, for screen readers, which read it out when it appears. The field shows it too. */
export const FieldMessage = ({ children }: { children: string | undefined }) => (
  <p role="alert" className="sr-only">
    {children}
  </p>
)
