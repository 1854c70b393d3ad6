/** The host that `portcullis start --demo` protects; browsers resolve *.localhost to this machine (RFC 6761 §6.3). */
export const demoHost = 'demo.localhost';
