import { cookies } from 'next/headers'

/** The theme that the person chose, or undefined to go by the system's. */
export async function pageTheme(): Promise<'light' | 'dark' | undefined> {
  const theme = (await cookies()).get('theme')?.value
  return theme === 'light' || theme === 'dark' ? theme : undefined
}
