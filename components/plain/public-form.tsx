import type { ComponentProps } from 'react'
import { pageAddress, pageFormToken } from '@/lib/request/page'

/** The id of a step's main form, for buttons outside it. */
export const stepFormId = 'step-form'

type Props = Omit<ComponentProps<'form'>, 'method'> & {
  /** Which form of the page it is (`PageForms`). */
  form: string
}

/**
 * A form that the browser posts to the page's own address unless it has another `action`, with or without script. The
 * server process answers it (ADR 114).
 */
export async function PublicForm({ form, children, ...rest }: Props) {
  return (
    <form {...rest} method="post" noValidate>
      <input type="hidden" name="token" value={await pageFormToken()} />
      <input type="hidden" name="form" value={form} />
      {children}
    </form>
  )
}

/**
 * A form that pages have beside their own, at an address for all of them. The person returns to the page: without what
 * is said of the cookies of a browser, which may allow them meanwhile.
 */
export async function BackForm({ children, ...form }: Props & { action: string }) {
  const address = await pageAddress()
  return (
    <PublicForm {...form}>
      <input type="hidden" name="back" value={address.replace(/[?&]cookies=off$/, '')} />
      {children}
    </PublicForm>
  )
}
