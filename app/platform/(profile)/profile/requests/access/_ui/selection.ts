/** The name of the selection of incoming requests. */
export const selection = 'incoming-requests'
