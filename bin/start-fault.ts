/** An error that the operator can fix: only its message is printed. */
export class StartFault extends Error {
  override name = 'StartFault'
}
