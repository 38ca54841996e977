import type { ComponentProps } from 'react'
import { buttonClasses } from '@/components/ui/button-classes'

/** The button that sends the form of a step. */
export const StepButton = (props: Omit<ComponentProps<'button'>, 'type' | 'className'>) => (
  <button {...props} type="submit" className={buttonClasses({ size: 'L' })} />
)
