import type { ComponentProps } from 'react'
import { pageAddress, pageFormToken } from '@/lib/request/page'

/** The id of a step's main form, for buttons outside it. */
export const stepFormId = 'step-form'

type Props = Omit<ComponentProps<'form'>, 'method' | 'action'> & {
  /** Which form of the page it is (`PageForms`). */
  form: string
}

/**
 * A form that the browser posts to the page's own address, with or without script. The server process answers it
 * (ADR 114).
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

/** A form that every public page has, for a choice of this browser. The person returns to the page. */
export async function ChoiceForm({ form, children, ...rest }: Props) {
  return (
    <form {...rest} method="post" action="/platform/choices" data-keeps-typed>
      <input type="hidden" name="token" value={await pageFormToken()} />
      <input type="hidden" name="form" value={form} />
      <input type="hidden" name="back" value={await pageAddress()} />
      {children}
    </form>
  )
}
