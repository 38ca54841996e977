/** Names the wish to be remembered on this device: in the form, and where it waits until the person has signed in. */
export const rememberWish = 'remember-account'
